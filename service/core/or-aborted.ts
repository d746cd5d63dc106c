/**
 * What `work` comes to, unless `signal` is aborted before; `work` itself goes on then.
 * @throws what `work` throws; the reason of `signal`
 */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  signal.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = (): void => left.reject(signal.reason as Error);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
