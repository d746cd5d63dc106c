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

/** Returns the types that a JSON Schema allows; null: any type, or unknown. */
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
 * Returns true if a value of one of the first types can have one of the second types. `integer` and
 * `number` fit each other; `null` alone does not make types fit.
 */
export function typesFit(
  offered: readonly ValueType[] | null | undefined,
  accepted: readonly ValueType[] | null | undefined,
): boolean {
  if (!offered || !accepted) return true;
  const plain = (types: readonly ValueType[]): Set<ValueType> =>
    new Set(
      types
        .filter((type) => type !== 'null' || types.length === 1)
        .map((type) => (type === 'integer' ? 'number' : type)),
    );
  const expected = plain(accepted);
  return [...plain(offered)].some((type) => expected.has(type));
}
