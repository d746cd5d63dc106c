import type { InvokeReply } from '../../contract/index.ts';
import { EventsReply } from '../../http/reply.ts';
import type { PluginCall } from './plugin.ts';

const heartbeatMs = 25_000;
/** A single result may have 32 MiB. */
const maxPendingBytes = 64 * 1024 * 1024;

const events = 'text/event-stream';

/**
 * Returns true if the client prefers an event stream with progress: its `Accept` header names event
 * streams and does not prefer JSON.
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

/**
 * Streams the progress of one call, then its result or its problem. The call continues if the
 * client disconnects.
 */
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
