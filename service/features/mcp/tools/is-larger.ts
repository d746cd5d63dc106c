const maxLevels = 100;

/** Whether a JSON value nests deeper than 100 levels, or its keys and texts are longer together. */
export function isLarger(value: unknown, mostCharacters: number): boolean {
  return lengthUpTo(value, mostCharacters, maxLevels) > mostCharacters;
}

/** Its length, as far as it matters. Each value counts 4 beside its text. */
export function lengthUpTo(value: unknown, most: number, levels: number): number {
  if (typeof value === 'string') return value.length + 4;
  if (typeof value !== 'object' || value === null) return 4;
  if (levels === 0) return Infinity;
  const isList = Array.isArray(value);
  let length = 4;
  for (const key in value) {
    length += isList ? 0 : key.length;
    length += lengthUpTo((value as Record<string, unknown>)[key], most - length, levels - 1);
    if (length > most) break;
  }
  return length;
}
