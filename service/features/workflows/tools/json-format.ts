import { excessOf } from '../../../core/json-shape.ts';
import { parseReference, ReferenceProblem, valueAt } from '../../../core/references.ts';
import { msg } from '../../../messages/index.ts';
import { failure, jsonResult, objectOf, type Tool, type ToolResult } from '../../tools/index.ts';

export const operations = ['pretty', 'minify', 'parse', 'pick'] as const;

const maxCharacters = 8 * 1024 * 1024;
const limits = { levels: 64, values: 500_000 };

interface Arguments {
  json: unknown;
  operation?: (typeof operations)[number];
  path?: string;
}

export const jsonFormat: Tool = {
  name: 'json_format',
  description:
    'Reads JSON and writes it with line breaks (pretty) or without spaces (minify), answers it as a value (parse), or picks what stands at a path such as items[0].name (pick).',
  inputSchema: {
    type: 'object',
    properties: {
      json: { description: 'A text is read as JSON; any other value is taken as it is.' },
      operation: { enum: [...operations], default: 'pretty' },
      path: { type: 'string', maxLength: 2_000 },
    },
    required: ['json'],
    additionalProperties: false,
  },
  resultSchema: objectOf({ value: {}, text: 'string' }),
  effect: 'read',
  run: async (call) => format(call.arguments as unknown as Arguments),
};

function format({ json, operation = 'pretty', path = '' }: Arguments): ToolResult {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  if (text.length > maxCharacters) return failure(msg('json.tooLong'));
  if (excessOf(text, limits) !== null) return failure(msg('json.tooComplex'));
  try {
    const whole: unknown = JSON.parse(text);
    const value = operation === 'pick' ? picked(whole, path) : whole;
    const written = JSON.stringify(value, null, operation === 'pretty' ? 2 : undefined);
    return jsonResult({ value, text: written });
  } catch (error) {
    if (error instanceof ReferenceProblem) return failure(error.text);
    const reason = error instanceof Error ? error.message.slice(0, 300) : '';
    return failure(msg('json.invalid', { reason }));
  }
}

/** Returns the value at a path in the syntax that follows `last.result` in a reference. */
function picked(value: unknown, path: string): unknown {
  if (path === '') return value;
  const reference = parseReference(`last.result${path.startsWith('[') ? '' : '.'}${path}`);
  return reference === null ? value : valueAt(value, { ...reference, text: path });
}
