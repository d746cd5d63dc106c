import { type FieldError, HostError } from '../../core/host-error.ts';
import { ParamChecks } from '../plugins/index.ts';
import type { ArgumentProblem } from './argument-problem.ts';
import type { Tool } from './tool.ts';
import { type Message, msg } from '../../messages/index.ts';

/** Limit for the JSON text that a model writes. */
const maxCharacters = 8 * 1024 * 1024;
/** A schema up to this length is repeated in the error. */
const maxSchemaCharacters = 2_000;

/** Prepared checks by schema, with the tool's name. */
const prepared = new WeakMap<object, { name: string; checks: ParamChecks }>();

/**
 * Returns the arguments of a model as an object; text is parsed as JSON, and missing arguments
 * become an empty object.
 */
export function readArguments(
  { name }: Tool,
  input: unknown,
): { arguments: Record<string, unknown> } | { problem: Message } {
  let value: unknown = input ?? {};
  if (typeof value === 'string') {
    if (value.length > maxCharacters) {
      return { problem: msg('tools.argumentsTooLong', { tool: name }) };
    }
    try {
      value = value.trim() === '' ? {} : (JSON.parse(value) as unknown);
    } catch (error) {
      const why = error instanceof Error ? error.message.slice(0, 300) : '';
      return {
        problem: msg('tools.argumentsNotJson', { tool: name, reason: why }),
      };
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: msg('tools.argumentsNotObject', { tool: name }) };
  return { arguments: value as Record<string, unknown> };
}

/** Returns the reason why the arguments do not match the tool's schema, or null. */
export async function checkArguments(
  { name, inputSchema, checksArguments = false }: Tool,
  args: Record<string, unknown>,
): Promise<ArgumentProblem | null> {
  const checks = checksFor(name, inputSchema);
  try {
    await checks.check(name, args);
    return null;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.errors === undefined) return checksArguments ? null : { reason: error.text };
    const wrong = error.errors.map(({ path, message }) => {
      const field = path.replace(/^params\.?/, '');
      return field === '' ? message : msg('tools.fieldProblem', { field, problem: message });
    });
    const schema = JSON.stringify(inputSchema);
    const reason = msg('tools.argumentsInvalid', { tool: name, problems: wrong });
    return schema.length <= maxSchemaCharacters ? { reason, schema } : { reason };
  }
}

/** Without these keywords at the top level, `properties` alone decides about each property. */
const combining = ['allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref', 'dependentSchemas'];

/**
 * Returns the errors of partly unknown arguments: `open` names the properties whose value is set
 * later. Paths are relative to the arguments.
 */
export async function argumentErrors(
  tool: Pick<Tool, 'name' | 'inputSchema'>,
  args: Record<string, unknown>,
  open: ReadonlySet<string>,
): Promise<FieldError[]> {
  if (open.size > 0 && combining.some((key) => key in tool.inputSchema)) return [];
  const schema = open.size === 0 ? tool.inputSchema : withOpen(tool.inputSchema, open);
  try {
    await checksFor(tool.name, schema).check(tool.name, args);
    return [];
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.errors === undefined) return [{ path: '', message: error.text }];
    return error.errors.map(({ path, message }) => ({
      path: path.replace(/^params\.?/, ''),
      message,
    }));
  }
}

/** Limit per schema; plans leave the same few properties open again and again. */
const maxOpened = 16;
const opened = new WeakMap<object, Map<string, Record<string, unknown>>>();

/** Returns the same schema object for the same open properties, so that its checks stay cached. */
function withOpen(
  schema: Record<string, unknown>,
  open: ReadonlySet<string>,
): Record<string, unknown> {
  const cached = opened.get(schema) ?? new Map<string, Record<string, unknown>>();
  opened.set(schema, cached);
  const key = JSON.stringify([...open].sort());
  const made = cached.get(key) ?? opening(schema, open);
  cached.set(key, made);
  const [oldest] = cached.keys();
  if (cached.size > maxOpened && oldest !== undefined) cached.delete(oldest);
  return made;
}

function opening(
  schema: Record<string, unknown>,
  open: ReadonlySet<string>,
): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, unknown> };
  const all = Object.entries(properties).map(([name, inner]) => [
    name,
    open.has(name) ? {} : inner,
  ]);
  return { ...schema, properties: Object.fromEntries(all) as Record<string, unknown> };
}

function checksFor(name: string, inputSchema: Record<string, unknown>): ParamChecks {
  const cached = prepared.get(inputSchema);
  if (cached?.name === name) return cached.checks;
  const checks = new ParamChecks({ [name]: { params: inputSchema } });
  prepared.set(inputSchema, { name, checks });
  return checks;
}
