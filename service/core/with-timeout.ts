/** Waits for the work up to a limit; null after that. The work itself continues. */
export async function withTimeoutOrNull<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), limitMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/**
 * Waits for the work up to a limit; its later result is ignored.
 * @throws `late()` after the limit
 */
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
