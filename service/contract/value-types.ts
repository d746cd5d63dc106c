import { z } from 'zod';

/** A type of JSON values, as in JSON Schema. */
export const ValueType = z.enum([
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'null',
]);
export type ValueType = z.output<typeof ValueType>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the types that a JSON Schema allows; null: any type, or not known. */
export function typesOf(schema: unknown): ValueType[] | null {
  if (!isObject(schema)) return null;
  const { type, enum: choices, anyOf, oneOf } = schema;
  const named = z.union([ValueType.transform((one) => [one]), z.array(ValueType)]).safeParse(type);
  if (named.success) return named.data;
  if ('const' in schema) return [typeOfValue(schema['const'])];
  if (Array.isArray(choices)) return [...new Set(choices.map(typeOfValue))];
  const branches = [anyOf, oneOf].find(Array.isArray);
  if (branches === undefined) return null;
  const types = branches.map(typesOf);
  return types.includes(null) ? null : [...new Set(types.flatMap((one) => one ?? []))];
}

export function typeOfValue(value: unknown): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string' || typeof value === 'boolean')
    return typeof value as 'string' | 'boolean';
  return 'object';
}

/**
 * Whether a value of one of the first types can be of one of the second ones. A whole number can be
 * where any number is expected, and the other way round; null alone is no reason that they fit.
 */
export function typesFit(
  given: readonly ValueType[] | null | undefined,
  taken: readonly ValueType[] | null | undefined,
): boolean {
  if (!given || !taken) return true;
  const plain = (types: readonly ValueType[]): Set<ValueType> =>
    new Set(
      types
        .filter((type) => type !== 'null' || types.length === 1)
        .map((type) => (type === 'integer' ? 'number' : type)),
    );
  const expected = plain(taken);
  return [...plain(given)].some((type) => expected.has(type));
}
