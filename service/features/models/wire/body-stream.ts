import type { Readable } from 'node:stream';
import { ModelFault } from './model-fault.ts';
import type { ModelLimits } from './model-limits.ts';

/** Server-sent events, or one JSON document a line. */
export type BodyKind = 'events' | 'lines';

export interface BodyOptions {
  kind: BodyKind;
  /** One JSON document instead: the server does not stream. */
  isDocument: boolean;
  limits: ModelLimits;
  /** Called when the answer has begun, or nobody waits for it any more. */
  begun: () => void;
  /** Called when an event stream said `[DONE]`. */
  done: () => void;
  /** What an error of the body means. */
  faultOr: (error: unknown) => unknown;
}

/** The last line of an event stream; inside a document there is no line break before it. */
const doneAtEnd = /(^|[\r\n])data: ?\[DONE\]\s*$/;
const doneTailBytes = 32;

/**
 * The body as the packages read it, with limits on silence and size. Errors with a `ModelFault`; whoever
 * stops reading ends the connection.
 */
export function bodyStream(body: Readable, options: BodyOptions): ReadableStream<Uint8Array> {
  const pieces = piecesOf(body, options);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await pieces.next();
          if (next.done === true) controller.close();
          else controller.enqueue(next.value);
        } catch (error) {
          options.begun();
          body.destroy();
          controller.error(options.faultOr(error));
        }
      },
      cancel() {
        options.begun();
        body.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

function piecesOf(body: Readable, options: BodyOptions): AsyncGenerator<Uint8Array, void> {
  const raw = watched(body, options);
  if (options.kind === 'lines') return jsonLines(raw, options.limits.maxLineBytes);
  return options.isDocument ? oneEvent(raw, options.limits.maxLineBytes) : raw;
}

async function* watched(body: Readable, options: BodyOptions): AsyncGenerator<Buffer, void> {
  const { limits } = options;
  let waiting = true;
  let begun = false;
  let silent = false;
  let bytes = 0;
  let lineBytes = 0;
  let tail = Buffer.alloc(0);
  const timer = setTimeout(() => {
    if (!waiting || !begun) return;
    silent = true;
    body.destroy();
  }, limits.idleMs);
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      waiting = false;
      begun = true;
      options.begun();
      bytes += piece.length;
      const lineEnd = piece.lastIndexOf(0x0a);
      lineBytes = lineEnd === -1 ? lineBytes + piece.length : piece.length - lineEnd;
      if (bytes > limits.maxBytes || lineBytes > limits.maxLineBytes)
        throw new ModelFault('too-large');
      tail = Buffer.concat([tail, piece.subarray(-doneTailBytes)]).subarray(-doneTailBytes);
      if (doneAtEnd.test(tail.toString('latin1'))) options.done();
      yield piece;
      waiting = true;
      timer.refresh();
    }
    if (silent) throw new ModelFault('stalled');
  } catch (error) {
    throw silent ? new ModelFault('stalled') : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Lines that are documents, without the empty ones. The package writes all others to the console. */
async function* jsonLines(
  raw: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of raw) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxBytes) throw new ModelFault('too-large');
    const documents = lines.filter((line) => line.trim() !== '');
    if (!documents.every(isDocument)) throw new ModelFault('unreadable');
    if (documents.length > 0) yield Buffer.from(`${documents.join('\n')}\n`);
  }
  const last = rest + decoder.decode();
  if (last.trim() === '') return;
  if (!isDocument(last)) throw new ModelFault('broken-off');
  yield Buffer.from(`${last}\n`);
}

function isDocument(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

async function* oneEvent(
  raw: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of raw) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new ModelFault('too-large');
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString('utf8');
  yield Buffer.from(`data: ${JSON.stringify(JSON.parse(text))}\n\ndata: [DONE]\n\n`);
}
