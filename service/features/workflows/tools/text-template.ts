import { parseReference, ReferenceProblem, textOf, valueAt } from '../../../core/references.ts';
import { jsonResult, objectOf, type Tool, type ToolResult } from '../../tools/index.ts';

const maxCharacters = 1024 * 1024;
const placeholder = /\{\{([^{}]{1,400})\}\}/g;

interface Arguments {
  template: string;
  values?: Record<string, unknown> | { name: string; value?: unknown }[];
}

export const textTemplate: Tool = {
  name: 'text_template',
  description:
    'Writes a text from a template: {{name}} stands for the value of that name, {{name.field}} for what is in it. Names without a value stay as they are and are answered as missing.',
  inputSchema: {
    type: 'object',
    properties: {
      template: { type: 'string', maxLength: maxCharacters },
      values: {
        description: 'An object, or a list of {name, value}.',
        type: ['object', 'array'],
        items: {
          type: 'object',
          properties: { name: { type: 'string', maxLength: 200 } },
          required: ['name'],
        },
      },
    },
    required: ['template'],
    additionalProperties: false,
  },
  resultSchema: objectOf({ text: 'string', missing: { type: 'array', items: { type: 'string' } } }),
  effect: 'read',
  run: async (call) => write(call.arguments as unknown as Arguments),
};

/** Placeholders in inserted text are not replaced again. */
function write({ template, values = {} }: Arguments): ToolResult {
  const pairs = Array.isArray(values)
    ? values.map(({ name, value }): [string, unknown] => [name, value])
    : Object.entries(values);
  const valueByName = new Map(pairs);
  const missing = new Set<string>();
  const text = template.replaceAll(placeholder, (all, inside: string) => {
    const found = lookUp(inside.trim(), valueByName);
    if (found === undefined) missing.add(inside.trim());
    return found === undefined ? all : textOf(found);
  });
  return jsonResult({ text, missing: [...missing] });
}

function lookUp(name: string, valueByName: ReadonlyMap<string, unknown>): unknown {
  if (valueByName.has(name)) return valueByName.get(name) ?? '';
  const end = name.search(/[.[]/);
  const first = valueByName.get(name.slice(0, end));
  if (end <= 0 || first === undefined) return undefined;
  try {
    const reference = parseReference(`last.result${name.slice(end)}`);
    return reference === null ? undefined : valueAt(first, reference);
  } catch (error) {
    if (error instanceof ReferenceProblem) return undefined;
    throw error;
  }
}
