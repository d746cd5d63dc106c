import type { ModelTool } from '../../models/index.ts';
import type { Tool } from '../../tools/index.ts';

/** Tools as a model is told of them. */
export const offeredTools = (tools: readonly Tool[]): ModelTool[] =>
  tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
