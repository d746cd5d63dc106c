import { lengthUpTo } from '../tools/is-larger.ts';

const maxPages = 64;
/**
 * Total of all items of a list, since each page may be as large as a message, and lists are kept.
 */
const maxListCharacters = 16 * 1024 ** 2;
/** Above the nesting limit of messages. */
const maxLevels = 1_000;

interface Page<T> {
  items: readonly T[];
  nextCursor: string | undefined;
}

/** Reads a paged list up to a limit, since a server may have endless pages. */
export async function pages<T>(
  most: number,
  read: (cursor: { cursor?: string }) => Promise<Page<T>>,
): Promise<{ found: T[]; hasMore: boolean }> {
  const found: T[] = [];
  let remainingCharacters = maxListCharacters;
  let cursor: { cursor?: string } = {};
  for (let page = 0; page < maxPages; page += 1) {
    const { items, nextCursor } = await read(cursor);
    for (const item of items) {
      remainingCharacters -= lengthUpTo(item, remainingCharacters, maxLevels);
      if (found.length === most || remainingCharacters < 0) return { found, hasMore: true };
      found.push(item);
    }
    if (nextCursor === undefined) return { found, hasMore: false };
    if (found.length === most) break;
    cursor = { cursor: nextCursor };
  }
  return { found, hasMore: true };
}
