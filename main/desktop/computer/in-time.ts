import { HostError } from '../../../service/app/index.ts';

/** What the system is asked for, waited for so long and no longer. @throws HostError `computer_use_unavailable` */
export async function inTime<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const message = `${what} within ${limitMs / 1_000} seconds.`;
  const timer = setTimeout(
    () => late.reject(new HostError('unavailable', 'computer_use_unavailable', message)),
    limitMs,
  );
  // What comes after that is nobody's any more.
  work.catch(() => undefined);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
