import { createParser } from 'eventsource-parser';
import { ModelFault, refusalOf } from './model-fault.ts';
import type { ModelLimits } from './model-limits.ts';

/** Stands for the `[DONE]` with which some servers end their events. */
export const lastEvent = Symbol('[DONE]');

/**
 * The parsed events of an answer, in batches as they arrive. A server that does not stream sends one
 * document, which is then followed by `lastEvent`.
 *
 * The packages' own streams are not used: they do not tell a stream that ended from one that was cut,
 * read no document, and let a server that is alive but silent be taken for one that is not.
 * @throws ModelFault where the answer stands still, breaks off, is too large or tells of an error
 */
export async function* eventsOf(
  response: Response,
  limits: ModelLimits,
): AsyncGenerator<unknown[]> {
  const type = typeOf(response);
  if (type.includes('html')) throw new ModelFault('unreadable');
  if (type.includes('application/json')) {
    yield [checked(JSON.parse(await wholeText(response, limits))), lastEvent];
    return;
  }
  let came: unknown[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (data.startsWith('[DONE]')) came.push(lastEvent);
      else if (event === 'error') throw refusalOf(documentOf(data));
      else came.push(checked(JSON.parse(data)));
    },
  });
  for await (const text of piecesOf(response, limits)) {
    try {
      parser.feed(text);
    } catch (error) {
      // Events before the faulty one are part of the answer.
      if (came.length > 0) yield came;
      throw error;
    }
    if (came.length > 0) yield came;
    came = [];
  }
}

/** The documents of an answer that is one document a line; what came together together. */
export async function* linesOf(response: Response, limits: ModelLimits): AsyncGenerator<unknown[]> {
  if (/html|event-stream/.test(typeOf(response))) throw new ModelFault('unreadable');
  let rest = '';
  for await (const text of piecesOf(response, limits)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const documents = lines.filter((line) => line.trim() !== '');
    const read: unknown[] = [];
    try {
      for (const line of documents) read.push(checked(JSON.parse(line)));
    } catch (error) {
      if (read.length > 0) yield read;
      throw error;
    }
    if (read.length > 0) yield read;
  }
  if (rest.trim() !== '') yield [checked(lastLine(rest))];
}

function lastLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ModelFault('broken-off', { cause });
  }
}

/** An answer that is one document, such as a list. */
export async function documentIn(response: Response, limits: ModelLimits): Promise<unknown> {
  if (typeOf(response).includes('html')) throw new ModelFault('unreadable');
  return JSON.parse(await wholeText(response, limits)) as unknown;
}

/** Text of an answer whose size is limited, such as a list. */
export async function wholeText(response: Response, limits: ModelLimits): Promise<string> {
  let whole = '';
  for await (const text of piecesOf(response, { ...limits, maxBytes: limits.maxLineBytes }))
    whole += text;
  return whole;
}

/** The body as it comes, with limits on silence and size. */
async function* piecesOf(response: Response, limits: ModelLimits): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let isSilent = false;
  const giveUp = (): void => {
    isSilent = true;
    void reader.cancel().catch(() => undefined);
  };
  let bytes = 0;
  let lineBytes = 0;
  let waitMs = limits.firstByteMs;
  try {
    for (;;) {
      const timer = setTimeout(giveUp, waitMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (isSilent) throw new ModelFault('stalled');
      if (done) break;
      waitMs = limits.idleMs;
      bytes += value.length;
      const lineEnd = value.lastIndexOf(0x0a);
      lineBytes = lineEnd === -1 ? lineBytes + value.length : value.length - lineEnd;
      if (bytes > limits.maxBytes || lineBytes > limits.maxLineBytes)
        throw new ModelFault('too-large');
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function checked(document: unknown): unknown {
  const { error } = (document ?? {}) as { error?: unknown };
  if (error !== undefined && error !== null) throw refusalOf(document);
  return document;
}

function documentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text };
  }
}

const typeOf = (response: Response): string =>
  (response.headers.get('content-type') ?? '').toLowerCase();
