/** The jobs of `SchemaThread`; each may be terminated at any moment. */
import type { FieldError } from '../../core/host-error.ts';
import { compileSchema, isSchema, type Schema, type SchemaCheck } from './schema-compiler.ts';

const maxCachedChecks = 200;
const checks = new Map<number, SchemaCheck>();

export function ready(_: null): void {}

/** Returns for each schema whether it is invalid. */
export function bad(schemas: Schema[]): boolean[] {
  return schemas.map((schema) => !isSchema(schema));
}

/** `key` identifies the schema, so that it is compiled once. */
export interface Check {
  key: number;
  schema: Schema;
  value: unknown;
}

/** Returns the errors of the value, null if the schema itself cannot be compiled. */
export function check({ key, schema, value }: Check): FieldError[] | null {
  const errorsOf = checks.get(key) ?? compiled(key, schema);
  return errorsOf && errorsOf(value);
}

function compiled(key: number, schema: Schema): SchemaCheck | null {
  let made: SchemaCheck;
  try {
    made = compileSchema(schema);
  } catch {
    return null;
  }
  if (checks.size >= maxCachedChecks) checks.clear();
  checks.set(key, made);
  return made;
}
