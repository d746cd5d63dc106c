import { isObject } from '../../../core/is-object.ts';
import { HostEnum, type InputSchema } from '../../../contract/index.ts';
import type { FieldError } from '../../../core/host-error.ts';
import { type HostText, msg } from '../../../messages/index.ts';
import { schemaProblem } from '../../plugins/index.ts';
import { textOf } from '../../../messages/index.ts';

export const noInputs: InputSchema = { type: 'object', properties: {} };

const maxInputs = 200;
const maxSchemaBytes = 256 * 1024;

/** Inputs that the host provides at the start of a run instead of asking for a value. */
export type HostInputKind = 'file' | 'shared-directory';

type Property = Record<string, unknown>;

export function propertiesOf(schema: InputSchema): Map<string, Property> {
  const properties = Object.hasOwn(schema, 'properties') ? schema['properties'] : undefined;
  if (!isObject(properties)) return new Map();
  return new Map(Object.entries(properties).map(([name, one]) => [name, isObject(one) ? one : {}]));
}

export const inputNames = (schema: InputSchema): ReadonlySet<string> =>
  new Set(propertiesOf(schema).keys());

/** Type of an input that holds files or folders of the host. */
export interface HostKind {
  kind: HostInputKind;
  /** True for a list of files. */
  many: boolean;
}

/** Returns null for an ordinary input. */
export function hostKindOf(property: Property): HostKind | null {
  if (property['x-host-auto'] !== undefined) return { kind: 'shared-directory', many: false };
  if (property['format'] === 'host-file') return { kind: 'file', many: false };
  const { items } = property;
  return isObject(items) && items['format'] === 'host-file' ? { kind: 'file', many: true } : null;
}

const wrong = (message: HostText, ...path: string[]): FieldError[] => [
  { path: ['inputSchema', ...path].join('.'), message },
];

export const schemaSizeProblems = (schema: InputSchema): FieldError[] =>
  Buffer.byteLength(JSON.stringify(schema)) > maxSchemaBytes
    ? wrong(msg('inputs.schemaTooLarge'))
    : [];

/** Returns the problems of the schema itself; `path` starts with `inputSchema`. */
export async function inputSchemaProblems(schema: InputSchema): Promise<FieldError[]> {
  const oversize = schemaSizeProblems(schema);
  if (oversize.length > 0) return oversize;
  if ((schema['type'] ?? 'object') !== 'object')
    return wrong(msg('inputs.schemaNotObject'), 'type');
  const { properties = {} } = schema;
  if (!isObject(properties)) return wrong(msg('inputs.propertiesNotObject'), 'properties');
  const names = Object.keys(properties);
  if (names.length > maxInputs)
    return wrong(msg('inputs.tooMany', { count: names.length, limit: maxInputs }), 'properties');
  const own = [...propertiesOf(schema)].flatMap(([name, property]) =>
    propertyProblems(property, name).map(({ path, message }) => ({
      path: ['inputSchema', 'properties', name, ...(path === '' ? [] : [path])].join('.'),
      message,
    })),
  );
  if (own.length > 0) return own;
  const problem = await schemaProblem(schema);
  return problem === null ? [] : wrong(textOf(problem));
}

function propertyProblems(property: Property, name: string): FieldError[] {
  const problems: FieldError[] = [];
  if (name === '__proto__' || !/^[^.[\]{}\s]{1,200}$/.test(name))
    problems.push({
      path: '',
      message: msg('inputs.nameNotReferable'),
    });
  const auto = property['x-host-auto'];
  if (auto !== undefined && auto !== 'shared-directory')
    problems.push({ path: 'x-host-auto', message: msg('inputs.autoInvalid') });
  const listed = property['x-host-enum'];
  if (listed !== undefined && !HostEnum.safeParse(listed).success)
    problems.push({ path: 'x-host-enum', message: msg('inputs.enumInvalid') });
  return problems;
}
