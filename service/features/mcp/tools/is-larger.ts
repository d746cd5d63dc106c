const maxLevels = 100;

/**
 * True if a JSON value nests deeper than 100 levels, or its keys and texts exceed `maxCharacters`.
 */
export function isLarger(value: unknown, maxCharacters: number): boolean {
  return lengthUpTo(value, maxCharacters, maxLevels) > maxCharacters;
}

/** Its length up to `most`. Each value counts 4 in addition to its text. */
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
