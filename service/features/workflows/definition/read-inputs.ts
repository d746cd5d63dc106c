import type { InputSchema } from '../../../contract/index.ts';
import { type FieldError, HostError } from '../../../core/host-error.ts';
import { ParamChecks } from '../../plugins/index.ts';
import { hostKindOf, type HostInputKind, type HostKind, propertiesOf } from './input-schema.ts';
import { type HostText, msg } from '../../../messages/index.ts';

/** An input that the runner fills. */
export interface HostInput {
  name: string;
  kind: HostInputKind;
  /** True for a list of files. */
  many: boolean;
  /** The value that was provided among the inputs. */
  value?: unknown;
}

/** Checked inputs of a run. */
export interface ReadInputs {
  /** The values for `inputs.<name>`; for a file and for a directory it is `@file:<name>`. */
  values: Record<string, unknown>;
  /** The inputs that the runner fills: each provided file, and each shared directory. */
  host: HostInput[];
}

const mostErrors = 50;

/**
 * Reads the inputs of a run and adds their defaults. `files` are the names of inputs whose files
 * were provided separately.
 * @throws HostError 422 `invalid_inputs` that names each field
 */
export async function readInputs(
  schema: InputSchema,
  inputs: Readonly<Record<string, unknown>>,
  files: ReadonlySet<string> = new Set(),
): Promise<ReadInputs> {
  const properties = propertiesOf(schema);
  const provided = new Map(Object.entries(inputs));
  const sorted = [...properties].map(([name, property]): Input => ({
    name,
    host: hostKindOf(property),
    isRequired: requiredOf(schema).has(name),
    value: provided.has(name) ? provided.get(name) : property['default'],
    hasFile: files.has(name),
  }));
  const errors = [
    ...unknownNames([...provided.keys(), ...files], properties),
    ...sorted.filter((input) => input.isRequired && !isFilled(input)).map(missing),
  ];
  const plain = sorted.filter((input) => input.host === null && isFilled(input));
  const values = Object.fromEntries(plain.map(({ name, value }) => [name, value]));
  if (errors.length === 0) errors.push(...(await valueErrors(schema, properties, values)));
  if (errors.length > 0) throw invalidInputs(errors);
  const host = sorted.flatMap((input): HostInput[] =>
    input.host === null || !isFilled(input) ? [] : [hostInput(input, input.host)],
  );
  for (const { name } of host) values[name] = `@file:${name}`;
  return { values, host };
}

interface Input {
  name: string;
  host: HostKind | null;
  isRequired: boolean;
  value: unknown;
  /** True if a file was provided separately. */
  hasFile: boolean;
}

const requiredOf = ({ required }: InputSchema): ReadonlySet<unknown> =>
  new Set(Array.isArray(required) ? required : []);

/** The host creates a shared directory whatever value is provided. */
const isFilled = ({ host, value, hasFile }: Input): boolean =>
  value !== undefined || (host !== null && (hasFile || host.kind === 'shared-directory'));

const missing = ({ name, host }: Input): FieldError =>
  field(name, host === null ? msg('inputs.required') : msg('inputs.fileMissing'));

const hostInput = ({ name, value }: Input, kind: HostKind): HostInput => ({
  name,
  ...kind,
  ...(value !== undefined && { value: value }),
});

const field = (name: string, message: HostText): FieldError => ({
  path: `inputs.${name.slice(0, 200)}`,
  message,
});

function unknownNames(
  names: readonly string[],
  properties: ReadonlyMap<string, unknown>,
): FieldError[] {
  const message =
    properties.size === 0
      ? msg('inputs.noneDeclared')
      : msg('inputs.unknown', { inputs: [...properties.keys()].join(', ').slice(0, 500) });
  return names
    .filter((name) => !properties.has(name))
    .slice(0, mostErrors)
    .map((name) => field(name, message));
}

/** Inputs of the host are skipped: their values do not exist yet. */
async function valueErrors(
  schema: InputSchema,
  properties: ReadonlyMap<string, Record<string, unknown>>,
  values: Record<string, unknown>,
): Promise<FieldError[]> {
  const checked = [...properties].filter(([, property]) => hostKindOf(property) === null);
  const names = new Set(checked.map(([name]) => name));
  const params = {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(checked),
    required: [...requiredOf(schema)].filter((name) => names.has(String(name))),
  };
  try {
    await new ParamChecks({ inputs: { params } }).check('inputs', values);
    return [];
  } catch (error) {
    if (!(error instanceof HostError) || error.kind !== 'invalid') throw error;
    if (error.errors === undefined)
      return [{ path: 'inputs', message: msg('inputs.checkTimedOut') }];
    return error.errors.map(({ path, message }) => ({
      path: path.replace(/^params/, 'inputs'),
      message,
    }));
  }
}

export function invalidInputs(errors: readonly FieldError[]): HostError {
  const [first] = errors;
  const text = msg('inputs.invalid', { path: first?.path ?? '', problem: first?.message ?? '' });
  return new HostError('unprocessable', 'invalid_inputs', text, {
    errors: errors.slice(0, mostErrors),
  });
}
