import type { InvokeReply } from '../../contract/index.ts';
import { problemOf } from '../../http/problems.ts';
import { EventsReply } from '../../http/reply.ts';
import type { PluginCall } from './plugin.ts';

const heartbeatMs = 25_000;
/** A result alone may have 32 MiB. */
const maxWaitingBytes = 64 * 1024 * 1024;

/** Whether a client would rather hear of the progress of its call. */
export const wantsEvents = (accept: string | undefined): boolean =>
  accept?.includes('text/event-stream') === true;

/** The progress of one call, then its result or its problem. The call goes on when the client leaves. */
export function callEvents(
  run: (onProgress: NonNullable<PluginCall['onProgress']>) => Promise<InvokeReply>,
): EventsReply {
  return new EventsReply({
    heartbeatMs,
    maxWaitingBytes,
    open(sink) {
      run((data) => sink.send({ event: 'progress', data })).then(
        (data) => {
          sink.send({ event: 'result', data });
          sink.end();
        },
        (error: unknown) => {
          sink.send({ event: 'error', data: problemOf(error) });
          sink.end();
        },
      );
      return () => undefined;
    },
  });
}
