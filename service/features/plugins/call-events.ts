import type { InvokeReply } from '../../contract/index.ts';
import { EventsReply } from '../../http/reply.ts';
import type { PluginCall } from './plugin.ts';

const heartbeatMs = 25_000;
/** A result alone may have 32 MiB. */
const maxPendingBytes = 64 * 1024 * 1024;

const events = 'text/event-stream';

/**
 * Whether a client would rather hear of the progress of its call: it names streams of events, and
 * does not weigh JSON more or name it first.
 */
export function wantsEvents(accept = ''): boolean {
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const q = parameters.find((one) => one.startsWith('q='))?.slice(2);
    return { type, weight: q === undefined ? 1 : Number(q) };
  });
  const accepted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return (
    accepted.find(({ type }) => type === events || type === 'application/json')?.type === events
  );
}

/** The progress of one call, then its result or its problem. The call goes on when the client leaves. */
export function callEvents(
  run: (onProgress: NonNullable<PluginCall['onProgress']>) => Promise<InvokeReply>,
): EventsReply {
  return new EventsReply({
    heartbeatMs,
    maxBufferedBytes: maxPendingBytes,
    endsWithProblem: true,
    open(sink) {
      run((data) => sink.send({ event: 'progress', data })).then(
        (data) => {
          sink.send({ event: 'result', data });
          sink.end();
        },
        (error: unknown) => sink.end(error),
      );
      return () => undefined;
    },
  });
}
