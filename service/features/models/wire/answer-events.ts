import { createParser } from 'eventsource-parser';
import { ModelError, refusalOf } from './model-error.ts';
import type { ModelLimits } from './model-limits.ts';

/** Stands for `[DONE]`, with which some servers end their events. */
export const lastEvent = Symbol('[DONE]');

/**
 * Reads the parsed events of an answer, in batches as they arrive. A server without streaming sends
 * one document, which is followed by `lastEvent`.
 * The SDKs' own streams are not used: they do not distinguish a stream that ended from one that was
 * cut, cannot read a document, and treat keep-alives as silence.
 * @throws ModelError if the answer stalls, breaks off, is too large or contains an error
 */
export async function* eventsOf(
  response: Response,
  limits: ModelLimits,
): AsyncGenerator<unknown[]> {
  const type = typeOf(response);
  if (type.includes('html')) throw new ModelError('unreadable');
  if (type.includes('application/json')) {
    yield [checked(JSON.parse(await wholeText(response, limits))), lastEvent];
    return;
  }
  let events: unknown[] = [];
  // An event is buffered until its end, so its size is limited across lines.
  let characters = 0;
  const parser = createParser({
    onEvent: ({ event, data }) => {
      characters = 0;
      if (data.startsWith('[DONE]')) events.push(lastEvent);
      else if (event === 'error') throw refusalOf(documentOf(data));
      else events.push(checked(JSON.parse(data)));
    },
  });
  for await (const text of piecesOf(response, limits)) {
    try {
      characters += text.length;
      parser.feed(text);
      if (characters > limits.maxLineBytes) throw new ModelError('too-large');
    } catch (error) {
      // Events before the invalid one are part of the answer.
      if (events.length > 0) yield events;
      throw error;
    }
    if (events.length > 0) yield events;
    events = [];
  }
}

/**
 * Reads an answer with one JSON document per line; documents that arrive together are one batch.
 */
export async function* linesOf(response: Response, limits: ModelLimits): AsyncGenerator<unknown[]> {
  if (/html|event-stream/.test(typeOf(response))) throw new ModelError('unreadable');
  let pendingText: string[] = [];
  for await (const text of piecesOf(response, limits)) {
    pendingText.push(text);
    // Joining a long line with every new piece would take quadratic time.
    if (!text.includes('\n')) continue;
    const lines = pendingText.join('').split('\n');
    pendingText = [lines.pop() ?? ''];
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
  const rest = pendingText.join('');
  if (rest.trim() !== '') yield [checked(lastLine(rest))];
}

function lastLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ModelError('broken-off', { cause });
  }
}

/** Reads an answer that is one JSON document, such as a list. */
export async function documentIn(response: Response, limits: ModelLimits): Promise<unknown> {
  if (typeOf(response).includes('html')) throw new ModelError('unreadable');
  return JSON.parse(await wholeText(response, limits)) as unknown;
}

/** Reads the text of an answer of limited size, such as a list, within `limitMs`. */
export async function wholeText(
  response: Response,
  limits: ModelLimits,
  limitMs = Infinity,
): Promise<string> {
  let whole = '';
  const ofDocument = { ...limits, maxBytes: limits.maxLineBytes };
  for await (const text of piecesOf(response, ofDocument, limitMs)) whole += text;
  return whole;
}

/** The body in pieces, with limits on silence, size and, if given, time. */
async function* piecesOf(
  response: Response,
  limits: ModelLimits,
  limitMs = Infinity,
): AsyncGenerator<string> {
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
  const untilMs = performance.now() + limitMs;
  try {
    for (;;) {
      const timer = setTimeout(giveUp, Math.min(waitMs, untilMs - performance.now()));
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (isSilent) throw new ModelError('stalled');
      if (done) break;
      waitMs = limits.idleMs;
      bytes += value.length;
      const lineEnd = value.lastIndexOf(0x0a);
      lineBytes = lineEnd === -1 ? lineBytes + value.length : value.length - lineEnd;
      if (bytes > limits.maxBytes || lineBytes > limits.maxLineBytes)
        throw new ModelError('too-large');
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
