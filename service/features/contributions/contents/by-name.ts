import { isDeepStrictEqual } from 'node:util';
import type { ContentWarnings } from './content-warnings.ts';
import { msg } from '../../../messages/index.ts';

/**
 * Sorted by name. Of those that share a name the first stays; another gives a warning at the part
 * that `partOf` says, unless it is the very same thing said twice.
 */
export function byName<T extends { name: string }>(
  parts: readonly T[],
  partOf: (part: T) => string,
  warnings: ContentWarnings,
): T[] {
  const retained = new Map<string, T>();
  for (const part of parts) {
    const first = retained.get(part.name);
    if (first === undefined) retained.set(part.name, part);
    else if (!isDeepStrictEqual(first, part)) {
      warnings.add(partOf(part), msg('contributions.twinName', { name: part.name }));
    }
  }
  return [...retained.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
