import type { WorkflowNode } from '../../../service/contract/index.ts';
import type { GraphNode } from './graph.ts';
import { isNote, stepData } from './graph.ts';

/** The available node types by name. */
export type NodeKinds = ReadonlyMap<string, WorkflowNode>;

const toolPrefix = 'tool:';

/**
 * Returns undefined if the plugin of the type is missing. A `tool:<name>` is a node of any tool,
 * without a form.
 */
export function kindOf(kinds: NodeKinds, type: string): WorkflowNode | undefined {
  const kind = kinds.get(type);
  if (kind || !type.startsWith(toolPrefix)) return kind;
  const tool = type.slice(toolPrefix.length);
  return { type, tool, label: tool, inputs: [], outputs: [], pluginId: null };
}

export const isToolNode = (type: string): boolean => type.startsWith(toolPrefix);

export const outputOf = (
  kind: WorkflowNode | undefined,
  handle: string | null | undefined,
): WorkflowNode['outputs'][number] | undefined => kind?.outputs.find(({ name }) => name === handle);

/** Returns the display name of a node: its own title, else the name of its type. */
export function titleOf(node: GraphNode, kinds: NodeKinds): string {
  if (isNote(node)) return '';
  const { title, nodeType } = stepData(node);
  if (typeof title === 'string' && title.trim() !== '') return title;
  return kindOf(kinds, nodeType)?.label ?? nodeType;
}

const hexColour = /^#[0-9a-f]{6}$/i;

/** Returns the color of a plugin's node type, or null if it is not valid. */
export const colourOf = (kind: WorkflowNode | undefined): string | null =>
  kind?.color !== undefined && hexColour.test(kind.color) ? kind.color : null;
