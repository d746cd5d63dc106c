import type { ServerResponse } from 'node:http';
import type { OpenStreams } from './open-streams.ts';
import { problemOf } from './problems.ts';
import type { EventSource, StreamEvent } from './reply.ts';

/** Most bytes buffered for a client that does not read; then it is disconnected. */
const defaultMaxBufferedBytes = 16 * 1024 * 1024;

let last: { event: StreamEvent; frame: Buffer } | null = null;

/** Caches the last frame, so an event for 200 listeners is serialized once. */
function frameOf(event: StreamEvent): Buffer {
  if (last?.event === event) return last.frame;
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  const frame = Buffer.from(`${id}event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`);
  last = { event, frame };
  return frame;
}

interface StreamParts {
  streams: OpenStreams;
  /** Maps an error that ends a stream; logs unexpected ones. */
  meaningOf?: (error: unknown) => unknown;
}

/**
 * Sends a stream until its source ends it, the client disconnects, or too many bytes are buffered.
 * Opens no stream for HEAD.
 */
export function sendEvents(
  res: ServerResponse,
  source: EventSource,
  { streams, meaningOf = (error) => error }: StreamParts,
): void {
  res.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
    'Referrer-Policy': 'no-referrer',
  });
  if (res.req.method === 'HEAD') {
    res.end();
    return;
  }
  res.flushHeaders();
  let open = true;
  const write = (chunk: Buffer | string): void => {
    if (!open) return;
    heartbeat?.refresh();
    res.write(chunk);
    if (res.writableLength > (source.maxBufferedBytes ?? defaultMaxBufferedBytes)) res.destroy();
  };
  const heartbeat = startHeartbeat(source.heartbeatMs, () => write(': heartbeat\n\n'));
  if (source.greeting !== undefined) write(`: ${source.greeting}\n\n`);
  const end = (error?: unknown): void => {
    if (error !== undefined)
      write(source.endsWithProblem ? problemFrame(meaningOf(error)) : errorFrame(error));
    open = false;
    res.end();
  };
  const removeStream = streams.add(end);
  const leave = source.open({ send: (event) => write(frameOf(event)), end });
  res.once('close', () => {
    open = false;
    removeStream();
    clearTimeout(heartbeat);
    leave();
  });
}

function errorFrame(error: unknown): Buffer {
  return frameOf({ event: 'error', data: { message: problemOf(error).detail } });
}

const problemFrame = (error: unknown): Buffer =>
  frameOf({ event: 'error', data: problemOf(error) });

/** Each write restarts the timer, so a comment is sent only after a pause. */
function startHeartbeat(afterMs: number | undefined, beat: () => void): NodeJS.Timeout | undefined {
  return afterMs === undefined ? undefined : setTimeout(beat, afterMs).unref();
}
