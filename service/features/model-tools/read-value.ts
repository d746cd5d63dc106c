import { jsonrepair } from 'jsonrepair';
import { argumentErrors } from '../tools/index.ts';
import { type Message, msg } from '../../messages/index.ts';

type Schema = Record<string, unknown>;

/** The value in what a model wrote, or why there is none that fits the schema. */
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

/** Possible values, the most likely first: all of it, what is in a fence, what is between braces. */
function candidatesIn(text: string, { type }: Schema): unknown[] {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text)?.[1];
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const between = start >= 0 && end > start ? text.slice(start, end + 1) : undefined;
  const pieces = [text, fenced, between].filter((piece) => piece !== undefined);
  const read = pieces.flatMap((piece) => parsed(piece));
  const repaired = read.length > 0 || between === undefined ? [] : repairedJson(between);
  // A text needs no quotes where a text is asked for.
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

/** Definitions are looked for at the top of a schema. */
const definitions = ['$defs', 'definitions'];
const wrapped = new WeakMap<Schema, Schema>();

/** The schema of an object with the value in it, the same one each time so that its checks stay prepared. */
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

/** Null: the value fits. */
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
