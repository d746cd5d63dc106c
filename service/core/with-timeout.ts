/** Waits for the work, but not longer than that; null where it took longer. */
export async function withTimeoutOrNull<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), limitMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** Waits for the work, but not longer than that; what comes after it is not heard of. @throws `late()` */
export async function withTimeout<T>(
  limitMs: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(late()), limitMs);
  work.catch(() => undefined);
  return Promise.race([work, over.promise]).finally(() => clearTimeout(timer));
}
