import { isObject } from '../../core/is-object.ts';
import type { Schema } from './schema-compiler.ts';

const maxQuickSchemaValues = 500;
const maxQuickTextCharacters = 64 * 1024;
/** Values of the schema times values of the params; takes about a millisecond. */
const maxQuickSteps = 200_000;

/** Keywords that visit each value once with one part of the schema and contain no references. */
const plainKeywords = new Set([
  'type',
  'enum',
  'const',
  'required',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]);
const wordKeywords = new Set(['title', 'description', 'default', 'examples', 'format', '$comment']);

/**
 * Returns the size, in values, of a schema that is certainly quick to compile and check; null for
 * any other schema, which belongs in a thread that can be terminated.
 */
export function quickSizeOf({ $schema: _, $id: __, ...schema }: Schema): number | null {
  const size = sizeOf(schema, maxQuickSchemaValues)?.values ?? null;
  return size !== null && isPlain(schema) ? size : null;
}

/**
 * Returns true if checking the params against a quick schema of that size takes about a
 * millisecond.
 */
export function isQuickFor(schemaSize: number, params: unknown): boolean {
  return sizeOf(params, maxQuickSteps / schemaSize) !== null;
}

function isPlain(schema: unknown): boolean {
  if (typeof schema === 'boolean') return true;
  if (!isObject(schema)) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    if (keyword === 'properties') return isObject(value) && Object.values(value).every(isPlain);
    if (keyword === 'items' || keyword === 'additionalProperties') return isPlain(value);
    return plainKeywords.has(keyword) || wordKeywords.has(keyword);
  });
}

/**
 * Counts values and the characters of texts and keys; null beyond the limits, which stop the count
 * early.
 */
function sizeOf(root: unknown, maxValues: number): { values: number } | null {
  const pending = [root];
  let values = 0;
  let characters = 0;
  while (pending.length > 0) {
    const value = pending.pop();
    values += 1;
    if (typeof value === 'string') characters += value.length;
    else if (typeof value === 'object' && value !== null) {
      const inner: [string, unknown][] = Array.isArray(value)
        ? value.slice(0, maxValues + 1).map((one) => ['', one])
        : Object.entries(value);
      if (inner.length + values > maxValues) return null;
      for (const [key, one] of inner) {
        characters += key.length;
        pending.push(one);
      }
    }
    if (values > maxValues || characters > maxQuickTextCharacters) return null;
  }
  return { values };
}
