import { isObject } from '../../../core/is-object.ts';
import { type Message, msg } from '../../../messages/index.ts';
const annotation = 'x-mcp-header';
/** A field name of HTTP (RFC 9110, section 5.1). */
const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const annotatedTypes: readonly unknown[] = ['string', 'integer', 'boolean'];
/** Keywords whose value is a schema or a list of schemas. */
const schemaKeywords = [
  ...['items', 'prefixItems', 'contains', 'additionalItems', 'unevaluatedItems'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames', 'contentSchema'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
];
/** Keywords whose value maps names to schemas. */
const mapKeywords = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'];

type Schema = Record<string, unknown>;

/**
 * Why a tool of a Streamable HTTP server must not be used; null if it may. `x-mcp-header` in the
 * schema of an argument says that the argument is repeated in a header; MCP 2026-07-28, "Custom
 * Headers from Tool Parameters", lists what makes the annotation, and with it the tool, invalid.
 */
export function parameterHeaderProblem(inputSchema: unknown): Message | null {
  return problemIn(inputSchema, { path: [], isReachable: true, names: new Set() });
}

interface Position {
  path: readonly string[];
  /** True if only `properties` are between the root and this schema. */
  isReachable: boolean;
  /** Header names so far, in lower case. */
  names: Set<string>;
}

function problemIn(schema: unknown, at: Position): Message | null {
  if (!isObject(schema)) return null;
  const problem = Object.hasOwn(schema, annotation) ? annotationProblem(schema, at) : null;
  return problem ?? problemInChildren(schema, at);
}

function annotationProblem(schema: Schema, { path, isReachable, names }: Position): Message | null {
  const { [annotation]: name, type } = schema;
  const argument = path.join('.');
  if (path.length === 0) return msg('mcp.argumentHeaderNowhere');
  if (!isReachable) return msg('mcp.argumentHeaderUnreachable', { argument });
  if (typeof name !== 'string' || !fieldName.test(name))
    return msg('mcp.argumentHeaderName', { argument });
  if (!annotatedTypes.includes(type)) return msg('mcp.argumentHeaderType', { argument });
  if (names.has(name.toLowerCase())) return msg('mcp.argumentHeaderTwice', { argument });
  names.add(name.toLowerCase());
  return null;
}

function problemInChildren(schema: Schema, at: Position): Message | null {
  const { path, names } = at;
  for (const [name, child] of entriesOf(schema['properties'])) {
    const problem = problemIn(child, { ...at, path: [...path, name] });
    if (problem !== null) return problem;
  }
  for (const [name, child] of unreachable(schema)) {
    const problem = problemIn(child, { path: [...path, name], isReachable: false, names });
    if (problem !== null) return problem;
  }
  return null;
}

function* unreachable(schema: Schema): Generator<[string, unknown]> {
  for (const keyword of schemaKeywords) {
    const value = schema[keyword];
    for (const child of Array.isArray(value) ? value : [value]) yield [keyword, child];
  }
  for (const keyword of mapKeywords)
    for (const [, child] of entriesOf(schema[keyword])) yield [keyword, child];
}

const entriesOf = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value) : [];
