import { setTimeout as delay } from 'node:timers/promises';
import { MessageBudget } from './message-budget.ts';

/** What one event, or one answer that is no stream, may hold. */
const maxMessageBytes = 32 * 1024 ** 2;
const lineFeed = 0x0a;

/**
 * `fetch` whose answers cannot fill the memory: a body that holds more than 32 MiB ends in an error,
 * for a stream of events more than that in one event. A stream that floods is read slowly.
 */
export async function cappedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.body) return response;
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const { status, statusText, headers } = response;
  const capped = new Response(response.body.pipeThrough(cap(isStream)), {
    ...{ status, statusText, headers },
  });
  Object.defineProperty(capped, 'url', { value: response.url });
  return capped;
}

function cap(isStream: boolean): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let held = 0;
  const budget = new MessageBudget();
  return new TransformStream({
    async transform(chunk, controller) {
      held = isStream ? heldAfter(held, chunk) : held + chunk.byteLength;
      if (held > maxMessageBytes)
        return controller.error(new Error('It sent a message over 32 MiB.'));
      controller.enqueue(chunk);
      const waitMs = isStream ? budget.spend(0, eventsIn(chunk)) : 0;
      if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
    },
  });
}

/** About how many end in it: each event is at least one line and an empty one. */
function eventsIn(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) lines += 1;
  return lines / 3;
}

/** The bytes since the last empty line, which ends an event. */
function heldAfter(held: number, chunk: Uint8Array): number {
  for (let at = chunk.length - 1; at > 0; at -= 1)
    if (chunk[at] === lineFeed && (chunk[at - 1] === lineFeed || chunk[at - 2] === lineFeed))
      return chunk.length - at;
  return held + chunk.length;
}
