import { Ajv, type ValidateFunction } from 'ajv';
import { RE2JS } from 're2js';
import type { FieldError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import { schemaMessage } from './schema-message.ts';

export type Schema = Record<string, unknown>;

/** Returns the errors of a value; none if it is valid. */
export type SchemaCheck = (value: unknown) => FieldError[];

const maxErrors = 50;

/** Patterns come from packages, so they run in an engine with linear time. */
function linearPattern(pattern: string): { test: (text: string) => boolean } {
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.matcher(text).find() };
}
linearPattern.code = 'linearPattern';

let shared: { ajv: Ajv; own: Set<string> } | undefined;

/** Created once, because loading the meta schema takes longer than most schemas do. */
function sharedAjv(): { ajv: Ajv; own: Set<string> } {
  if (shared !== undefined) return shared;
  const ajv = new Ajv({
    strict: false,
    validateFormats: false,
    logger: false,
    code: { regExp: linearPattern },
  });
  shared = { ajv, own: new Set(Object.keys(ajv.refs)) };
  return shared;
}

/**
 * Throws for an invalid schema, and for asynchronous validation, whose promise would count as
 * "valid". The compiler forgets each schema at once: those of two packages may share an `$id`.
 */
export function compileSchema(schema: Schema): SchemaCheck {
  if (hasKey(schema, '$async')) throw new Error('The schema is asynchronous.');
  const { $schema: _, $id: __, ...rest } = schema;
  const { ajv, own } = sharedAjv();
  try {
    const validate = ajv.compile(rest);
    return (value) => ((validate(value) as unknown) === true ? [] : fieldErrors(validate));
  } finally {
    ajv.removeSchema(rest);
    for (const ref of Object.keys(ajv.refs)) if (!own.has(ref)) delete ajv.refs[ref];
  }
}

/** Returns false for a schema that `compileSchema` throws for. */
export function isSchema(schema: Schema): boolean {
  try {
    compileSchema(schema);
    return true;
  } catch {
    return false;
  }
}

/** Returns the errors of an invalid schema with dotted paths; empty for one that compiles. */
export function schemaErrors(schema: Schema): FieldError[] {
  const { ajv } = sharedAjv();
  const { $schema: _, $id: __, ...rest } = schema;
  if (ajv.validateSchema(rest) !== true)
    return (ajv.errors ?? []).slice(0, 1).map((error) => ({
      path: error.instancePath.slice(1).replaceAll('/', '.'),
      message: schemaMessage(error),
    }));
  try {
    compileSchema(schema);
    return [];
  } catch (error) {
    return [{ path: '', message: error instanceof Error ? error.message : String(error) }];
  }
}

function fieldErrors(validate: ValidateFunction): FieldError[] {
  const errors = (validate.errors ?? []).slice(0, maxErrors);
  if (errors.length === 0) return [{ path: 'params', message: msg('field.notValid') }];
  return errors.map((error) => ({
    path: `params${error.instancePath.replaceAll('/', '.')}`,
    message: schemaMessage(error),
  }));
}

function hasKey(value: unknown, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, key) || Object.values(value).some((inner) => hasKey(inner, key));
}
