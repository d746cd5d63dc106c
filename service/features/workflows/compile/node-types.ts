import type { NodeInput, NodeDefinition } from '../../../contract/index.ts';

/** The part of a node definition that the compiler needs. `tool` is its name in the catalog. */
export type NodeType = Pick<NodeDefinition, 'type' | 'tool' | 'label' | 'inputs' | 'outputs'> & {
  /** True if it accepts any input, because it declares none. */
  open?: boolean;
};

/** All node types, in a fixed order. */
export type NodeTypes = ReadonlyMap<string, NodeType>;

const toolPrefix = 'tool:';
const longestTool = 300;

/** Any tool can be a node without a form: `tool:<name>`. */
export const typeOfTool = (tool: string): string => toolPrefix + tool;

export function findNodeType(types: NodeTypes, type: string): NodeType | undefined {
  const existing = types.get(type);
  if (existing !== undefined || !type.startsWith(toolPrefix)) return existing;
  const tool = type.slice(toolPrefix.length);
  if (tool === '' || tool.length > longestTool) return undefined;
  return { type, tool, label: tool, inputs: [], outputs: [], open: true };
}

export const inputOf = ({ inputs }: NodeType, name: string): NodeInput | undefined =>
  inputs.find((input) => input.name === name);
