import type { ModelTool } from '../../models/index.ts';
import type { Tool } from '../../tools/index.ts';

/** Tools in the form that models receive. */
export const offeredTools = (tools: readonly Tool[]): ModelTool[] =>
  tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
