import type { EventLog } from '../core/event-log.ts';
import type { EventSource } from './reply.ts';

const heartbeatMs = 25_000;

/** Streams the recent events of a log, then the new ones. */
export function logStream(log: EventLog): EventSource {
  return {
    heartbeatMs,
    open(sink) {
      for (const data of log.recent()) sink.send({ event: 'log', data });
      return log.subscribe((data) => sink.send({ event: 'log', data }));
    },
  };
}
