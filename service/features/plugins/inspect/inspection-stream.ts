import type { EventSource } from '../../../http/reply.ts';
import type { Inspections } from './inspections.ts';

const heartbeatMs = 25_000;

/**
 * Opens a session that lasts as long as the stream, and tells where to attach the debugger.
 * @throws HostError as `Inspections.check`
 */
export function inspectionStream(inspections: Inspections, id: string): EventSource {
  inspections.check(id);
  return {
    heartbeatMs,
    open(sink) {
      const started = inspections.start(id, () => sink.end());
      started.then(
        ({ runtime, port }) => sink.send({ event: 'inspector', data: { runtime, port } }),
        (error: unknown) => sink.end(error),
      );
      return () => void started.then(({ end }) => end()).catch(() => undefined);
    },
  };
}
