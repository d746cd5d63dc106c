import { jsonrepair } from 'jsonrepair';
import { argumentErrors } from '../tools/index.ts';
import { type Message, msg } from '../../messages/index.ts';

type Schema = Record<string, unknown>;

/** Reads the value in a model's answer, or returns the reason why none matches the schema. */
export async function readValue(
  text: string,
  schema: Schema,
): Promise<{ value: unknown } | { problem: Message }> {
  const candidates = candidatesIn(text, schema);
  let problem: Message = msg('askModel.noJson');
  for (const value of candidates) {
    const found = await problemOf(value, schema);
    if (found === null) return { value };
    problem = found;
  }
  return { problem };
}

/**
 * Returns possible values, most likely first: the complete text, the content of a fence, the text
 * between braces.
 */
function candidatesIn(text: string, { type }: Schema): unknown[] {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text)?.[1];
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const between = start >= 0 && end > start ? text.slice(start, end + 1) : undefined;
  const pieces = [text, fenced, between].filter((piece) => piece !== undefined);
  const read = pieces.flatMap((piece) => parsed(piece));
  const repaired = read.length > 0 || between === undefined ? [] : repairedJson(between);
  // If the schema accepts a string, it needs no quotes.
  return [...read, ...repaired, ...(type === 'string' ? [text.trim()] : [])];
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function repairedJson(text: string): unknown[] {
  try {
    return parsed(jsonrepair(text));
  } catch {
    return [];
  }
}

/** References to definitions start at the root of a schema. */
const definitions = ['$defs', 'definitions'];
const wrapped = new WeakMap<Schema, Schema>();

/**
 * Returns the schema of an object with the value in it; the same object each time, so that its
 * checks stay cached.
 */
function wrapperOf(schema: Schema): Schema {
  const shared = definitions.filter((name) => name in schema).map((name) => [name, schema[name]]);
  const wrapper = wrapped.get(schema) ?? {
    type: 'object',
    properties: { value: schema },
    required: ['value'],
    ...(Object.fromEntries(shared) as Schema),
  };
  wrapped.set(schema, wrapper);
  return wrapper;
}

/** Returns null if the value is valid. */
async function problemOf(value: unknown, schema: Schema): Promise<Message | null> {
  const tool = { name: 'value', inputSchema: wrapperOf(schema) };
  const errors = await argumentErrors(tool, { value }, new Set());
  if (errors.length === 0) return null;
  const problems = errors
    .slice(0, 20)
    .map(({ path, message }) =>
      path === '' ? message : msg('tools.fieldProblem', { field: path, problem: message }),
    );
  return msg('askModel.valueDoesNotFit', { problems });
}
