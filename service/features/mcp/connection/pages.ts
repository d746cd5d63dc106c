const maxPages = 64;

interface Page<T> {
  items: readonly T[];
  nextCursor: string | undefined;
}

/** At most so many, whatever the server goes on to tell; a server may have no end of pages. */
export async function pages<T>(
  most: number,
  read: (cursor: { cursor?: string }) => Promise<Page<T>>,
): Promise<{ found: T[]; hasMore: boolean }> {
  const found: T[] = [];
  let cursor: { cursor?: string } = {};
  for (let page = 0; page < maxPages; page += 1) {
    const { items, nextCursor } = await read(cursor);
    const room = most - found.length;
    found.push(...items.slice(0, room));
    if (nextCursor === undefined) return { found, hasMore: items.length > room };
    if (found.length >= most) break;
    cursor = { cursor: nextCursor };
  }
  return { found, hasMore: true };
}
