import { isDeepStrictEqual } from 'node:util';
import type { ContentWarnings } from './content-warnings.ts';
import { msg } from '../../../messages/index.ts';

/**
 * Sorts parts by name. Of parts with the same name only the first is kept; each different one after
 * it gives a warning at `partOf`.
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
