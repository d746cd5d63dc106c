import { type NodeDefinition, NodeWidget, type WorkflowNode } from '../../../contract/index.ts';
import type { Plugin } from '../../plugins/index.ts';
import type { Tool } from '../../tools/index.ts';
import type { NodeType, NodeTypes } from '../compile/node-types.ts';
import { withTypes } from '../types/node-value-types.ts';
import { toolNodes } from './tool-nodes.ts';
import { builtInNodes } from './built-in-nodes.ts';

/** The plugins and tools that nodes are listed from. */
export interface NodeListOptions {
  plugins: { list(): Plugin[] };
  catalog: { list(): Promise<Tool[]> };
}

/**
 * Returns the built-in nodes, then those of enabled plugins ordered by plugin id. A type that is
 * already taken is prefixed with the id of its plugin: `<plugin id>:<type>`. A node whose tool is
 * missing is left out.
 */
export async function listNodes(options: NodeListOptions): Promise<WorkflowNode[]> {
  const enabled = options.plugins
    .list()
    .filter((plugin) => plugin.enabled)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const found = new Map<string, WorkflowNode>();
  for (const node of builtInNodes) found.set(node.type, { ...node, pluginId: null });
  if (enabled.every(({ manifest }) => manifest.flowNodes.length === 0)) return [...found.values()];
  const tools = await options.catalog.list();
  for (const plugin of enabled) {
    for (const node of plugin.manifest.flowNodes) {
      const tool = toolOf(plugin, node, tools);
      const type = found.has(node.type) ? `${plugin.id}:${node.type}` : node.type;
      if (tool === null || found.has(type)) continue;
      found.set(type, { ...node, type, tool, inputs: withWidgets(node), pluginId: plugin.id });
    }
  }
  return [...found.values()];
}

/** Returns the name in the catalog, which differs if two plugins have a tool of that name. */
function toolOf(
  { id, manifest }: Plugin,
  node: NodeDefinition,
  tools: readonly Tool[],
): string | null {
  const declared = manifest.aiTools.find(({ name }) => name === node.tool);
  if (declared === undefined) return null;
  const own = tools.filter(({ pluginId }) => pluginId === id);
  const toolIndex = manifest.aiTools.indexOf(declared);
  return (own.find(({ name }) => name === declared.name) ?? own[toolIndex])?.name ?? null;
}

const withWidgets = ({ inputs }: NodeDefinition): NodeDefinition['inputs'] =>
  inputs.map((input) => {
    const { data: widget = 'json' } = NodeWidget.safeParse(input.widget);
    return { ...input, widget };
  });

/** Returns the nodes that can be placed, including tools without a node of their own. */
export async function listPalette(options: NodeListOptions): Promise<WorkflowNode[]> {
  const [nodes, tools] = await Promise.all([listNodes(options), options.catalog.list()]);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return [...nodes, ...toolNodes(tools, nodes)].map((node) =>
    withTypes(node, byName.get(node.tool)),
  );
}

/** Returns the nodes with forms for the compiler, which accepts any other tool as it is. */
export async function nodeTypes(options: NodeListOptions): Promise<NodeTypes> {
  const nodes: NodeType[] = await listNodes(options);
  return new Map(nodes.map((node) => [node.type, node]));
}
