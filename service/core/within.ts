/** Waits for the work, but not longer than that; null where it took longer. */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), limitMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
