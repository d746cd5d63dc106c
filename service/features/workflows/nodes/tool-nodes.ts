import type { NodeInput, NodeOutput, WorkflowNode } from '../../../contract/index.ts';
import type { Tool } from '../../tools/index.ts';
import { typeOfTool } from '../compile/node-types.ts';

/** Tools that workflows must not start, that depend on an earlier call, or that need a screen. */
const leftOut = /^(?:run_workflow_|run_current_flow$|task_|computer_)/;

const maxDescription = 1_000;

/**
 * Creates a node for each tool that no other node calls; its form is derived from the tool's
 * schema.
 */
export function toolNodes(
  tools: readonly Tool[],
  nodes: readonly Pick<WorkflowNode, 'tool'>[],
): WorkflowNode[] {
  const taken = new Set(nodes.map(({ tool }) => tool));
  return tools
    .filter(({ name }) => !leftOut.test(name) && !taken.has(name))
    .map((tool) => ({
      type: typeOfTool(tool.name),
      tool: tool.name,
      label: labelOf(tool.name),
      description: tool.description.slice(0, maxDescription),
      group: groupOf(tool),
      inputs: inputsOf(tool.inputSchema),
      outputs: outputsOf(tool.resultSchema),
      pluginId: tool.pluginId ?? null,
    }));
}

const mcpName = /^mcp__(?<server>.+?)__(?<tool>.+)$/;

const labelOf = (name: string): string => mcpName.exec(name)?.groups?.['tool'] ?? name;

function groupOf({ name, pluginId }: Tool): string {
  const server = mcpName.exec(name)?.groups?.['server'];
  if (server !== undefined) return `mcp:${server}`;
  return pluginId === undefined ? 'tools' : `plugin:${pluginId}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function inputsOf({ properties, required }: Record<string, unknown>): NodeInput[] {
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(isObject(properties) ? properties : {}).map(([name, value]) => {
    const schema = isObject(value) ? value : {};
    const { title } = schema;
    return {
      name,
      label: typeof title === 'string' && title !== '' ? title : name,
      ...(needed.has(name) && { required: true }),
      ...fieldOf(name, schema),
    };
  });
}

/** Maximum number of result fields with an output of their own. */
const maxOutputs = 20;

function outputsOf({ properties }: Record<string, unknown> = {}): NodeOutput[] {
  return Object.keys(isObject(properties) ? properties : {})
    .filter((name) => /^[\w-]{1,100}$/.test(name))
    .slice(0, maxOutputs)
    .map((name) => ({ name, label: name, path: name }));
}

/** Text inputs that are usually longer than a line. */
const longTexts = new Set(['prompt', 'system', 'text', 'body', 'content', 'command', 'query']);
const widgets: Readonly<Record<string, string>> = {
  number: 'number',
  integer: 'number',
  boolean: 'switch',
};

function fieldOf(
  name: string,
  { type, enum: choices }: Record<string, unknown>,
): Pick<NodeInput, 'widget' | 'options'> {
  if (Array.isArray(choices)) {
    const values = (choices as unknown[]).filter((value) => typeof value === 'string');
    if (values.length === choices.length)
      return { widget: 'select', options: values.map((value) => ({ value, label: value })) };
  }
  if (type === 'string') return { widget: longTexts.has(name) ? 'textarea' : 'text' };
  return { widget: (typeof type === 'string' && widgets[type]) || 'json' };
}
