import { setTimeout as delay } from 'node:timers/promises';
import { excessOf } from '../../../core/json-shape.ts';
import { EventBoundaries } from './event-boundaries.ts';
import { checkedCharacters, messageLimits } from './message-limits.ts';
import { MessageBudget } from './message-budget.ts';
import { msg } from '../../../messages/index.ts';
import { ServerFailure } from './server-failure.ts';

/** Limit of one event, or of an answer that is not a stream. */
const maxMessageBytes = 32 * 1024 ** 2;
/** Bytes of a stream that count as one event. */
const bytesOfEvent = 20_000;

type Bytes = Uint8Array<ArrayBuffer>;
type Cap = TransformStream<Bytes, Bytes>;

/**
 * `fetch` whose responses can exhaust neither memory nor the event loop: a body (in a stream: an
 * event) above 32 MiB, or with more values than can be parsed quickly, ends in an error. A flooding
 * stream is read slowly.
 */
export async function cappedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.body) return response;
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const { status, statusText, headers } = response;
  const capped = new Response(response.body.pipeThrough(isStream ? capOfStream() : capOfBody()), {
    status,
    statusText,
    headers,
  });
  Object.defineProperty(capped, 'url', { value: response.url });
  return capped;
}

function capOfBody(): Cap {
  const held = new Held();
  return new TransformStream({
    transform: (chunk) => held.add(chunk),
    flush(controller) {
      const body = held.take();
      if (body.length > checkedCharacters) check(body.toString());
      controller.enqueue(body);
    },
  });
}

/** Events are passed on when they are complete, since a partial one is of no use. */
function capOfStream(): Cap {
  const held = new Held();
  const ends = new EventBoundaries();
  const budget = new MessageBudget();
  return new TransformStream({
    async transform(chunk, controller) {
      const { count, end } = ends.scan(chunk);
      held.add(chunk.subarray(0, end));
      if (end > 0) {
        const events = held.take();
        if (events.length > checkedCharacters) for (const data of dataOf(events)) check(data);
        controller.enqueue(events);
      }
      held.add(chunk.subarray(end));
      const waitMs = budget.spend(0, count + chunk.length / bytesOfEvent);
      if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
    },
  });
}

/** Received bytes that were not passed on yet. */
class Held {
  private chunks: Bytes[] = [];
  private bytes = 0;

  add(chunk: Bytes): void {
    this.bytes += chunk.length;
    if (this.bytes > maxMessageBytes) throw new ServerFailure(msg('mcp.messageTooLarge'));
    if (chunk.length > 0) this.chunks.push(chunk);
  }

  take(): Buffer<ArrayBuffer> {
    const all = Buffer.concat(this.chunks);
    this.chunks = [];
    this.bytes = 0;
    return all;
  }
}

/** The messages of events. */
function dataOf(events: Buffer): string[] {
  const lines = events.toString().replaceAll(/\r\n?/g, '\n');
  return lines.split('\n\n').map((event) =>
    event
      .split('\n')
      .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []))
      .join('\n'),
  );
}

function check(message: string): void {
  if (excessOf(message, messageLimits) !== null)
    throw new ServerFailure(msg('mcp.messageTooComplex'));
}
