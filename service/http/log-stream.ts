import type { EventLog } from '../core/event-log.ts';
import type { EventSource } from './reply.ts';

const heartbeatMs = 25_000;

/** What a program has logged, then what it logs. */
export function logStream(log: EventLog): EventSource {
  return {
    heartbeatMs,
    open(sink) {
      for (const data of log.recent()) sink.send({ event: 'log', data });
      return log.subscribe((data) => sink.send({ event: 'log', data }));
    },
  };
}
