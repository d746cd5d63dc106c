import { HostError } from '../../../service/app/index.ts';
import type { Message, MessageCode } from '../../../service/messages/index.ts';

/**
 * Waits for an answer of the system, for at most `limitMs`.
 * @throws HostError `computer_use_unavailable` when the time is over
 */
export async function inTime<T>(work: Promise<T>, limitMs: number, late: MessageCode): Promise<T> {
  const limit = Promise.withResolvers<never>();
  const message: Message = { code: late, parameters: { seconds: limitMs / 1_000 } };
  const timer = setTimeout(
    () => limit.reject(new HostError('unavailable', 'computer_use_unavailable', message)),
    limitMs,
  );
  // A rejection after the limit has no reader.
  work.catch(() => undefined);
  return Promise.race([work, limit.promise]).finally(() => clearTimeout(timer));
}
