/**
 * Runs `work` on each of `items`, at most `atOnce` at a time; the results have the order of the
 * items. A failure starts no further work and is thrown once the running work has ended.
 */
export async function inParallel<T, R>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const rest = items[Symbol.iterator]();
  const results: R[] = [];
  let nextIndex = 0;
  let failed = false;
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); !next.done && !failed; next = rest.next()) {
      const index = nextIndex;
      nextIndex += 1;
      try {
        results[index] = await work(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}
