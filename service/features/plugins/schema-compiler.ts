import { Ajv, type ValidateFunction } from 'ajv';
import { RE2JS } from 're2js';

/** Patterns come from packages, so they run in an engine that cannot be made to hang the host. */
function linearPattern(pattern: string): { test: (text: string) => boolean } {
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.matcher(text).find() };
}
linearPattern.code = 'linearPattern';

const options = { strict: false, validateFormats: false, logger: false, code: { regExp: linearPattern } } as const;

/** Throws when the schema is not one. Its `$id` is dropped: schemas of two packages may share it. */
export function compileSchema(schema: Record<string, unknown>): ValidateFunction {
  const { $schema: _, $id: __, ...rest } = schema;
  return new Ajv(options).compile(rest);
}
