/** Waits, but not longer than that; what is late is not heard of any more. */
export async function within<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), limitMs);
  });
  work.catch(() => undefined);
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}
