import { HostError } from '../../../service/app/index.ts';
import type { Message, MessageCode } from '../../../service/messages/index.ts';

/** What the system is asked for, waited for so long and no longer. @throws HostError `computer_use_unavailable` */
export async function inTime<T>(work: Promise<T>, limitMs: number, late: MessageCode): Promise<T> {
  const limit = Promise.withResolvers<never>();
  const message: Message = { code: late, parameters: { seconds: limitMs / 1_000 } };
  const timer = setTimeout(
    () => limit.reject(new HostError('unavailable', 'computer_use_unavailable', message)),
    limitMs,
  );
  // What comes after that is nobody's any more.
  work.catch(() => undefined);
  return Promise.race([work, limit.promise]).finally(() => clearTimeout(timer));
}
