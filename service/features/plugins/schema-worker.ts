/** The jobs of `SchemaThread`: each may be ended at any moment. */
import type { FieldError } from '../../core/host-error.ts';
import { compileSchema, isSchema, type Schema, type SchemaCheck } from './schema-compiler.ts';

const maxCachedChecks = 200;
const checks = new Map<number, SchemaCheck>();

export function ready(_: null): void {}

/** Which of them are no schemas. */
export function bad(schemas: Schema[]): boolean[] {
  return schemas.map((schema) => !isSchema(schema));
}

/** `key` names the schema, so that it is compiled once. */
export interface Check {
  key: number;
  schema: Schema;
  value: unknown;
}

/** The errors of the value; null where the schema itself cannot be compiled. */
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
