import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { HostError } from '../../core/host-error.ts';
import { orAborted } from '../../core/or-aborted.ts';
import { checkUrl, hostOf } from './check-url.ts';
import { decodeBody } from './decode-body.ts';
import { firstHop, type Hop, nextHop, type WebMethod } from './hop.ts';
import { type Lookup, lookupOf, resolveAllowed } from './resolve-allowed.ts';
import { timedOut, webFailure } from './web-failure.ts';
import { refused, type NetworkPolicy } from './network-policy.ts';
import { type HostText, msg } from '../../messages/index.ts';

const defaultMaxRedirects = 10;
/** Time before the next address of a name is tried, in ms. */
const attemptMs = 1000;
/** Limit of a pause in the body, independent of the total limit, in ms. */
const idleMs = 60_000;
const maxHeaderBytes = 64 * 1024;
/** Their length header describes a body that is omitted. */
const bodiless = new Set([204, 304]);

/** Limits and content of a guarded HTTP request. */
export interface FetchOptions {
  networkPolicy: NetworkPolicy;
  /** Aborts the exchange, which throws its reason. */
  signal?: AbortSignal;
  /** Other origins receive only those that reveal nothing about the caller. */
  headers?: Record<string, string>;
  /** Limit of the decoded body. */
  maxBytes: number;
  /** Limit of the whole exchange: names, connections, redirects, body. */
  timeoutMs: number;
  maxRedirects?: number;
  /** True if redirects must stay on the same origin. */
  sameOrigin?: boolean;
  /** Returns the reason why a redirect must not be followed, as a sentence; null if it may. */
  objection?: (url: URL) => Promise<HostText | null>;
  lookup?: Lookup;
  method?: WebMethod;
  body?: string;
}

/** The response of the last hop. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  url: string;
  /** Expected bytes; null if unknown. */
  totalBytes: number | null;
  /** Passes the decoded body on in pieces, each after the previous one was handled. */
  read: (onPiece: (piece: Buffer) => void | Promise<void>) => Promise<void>;
}

/**
 * Sends a request and follows its redirects, each of them checked. `use` receives the last
 * response; its result is returned once every connection is closed. @throws HostError
 * `address_refused`, `too_large`, `too_many_redirects`, `unreachable`
 */
export async function exchange<T>(
  text: string,
  options: FetchOptions,
  use: (answer: Answer) => Promise<T>,
): Promise<T> {
  options.signal?.throwIfAborted();
  let hop = firstHop(checkUrl(text, options.networkPolicy), options);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(timedOut(hostOf(hop.url))), options.timeoutMs);
  const cancel = (): void => limit.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', cancel, { once: true });
  try {
    for (let redirects = 0; ; redirects += 1) {
      const outcome = await request(hop, options, limit.signal, use);
      if ('result' in outcome) return outcome.result;
      if (redirects >= (options.maxRedirects ?? defaultMaxRedirects)) throw tooManyRedirects(hop);
      hop = outcome.next;
    }
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', cancel);
    // Also ends a connection that is being established.
    limit.abort();
  }
}

async function request<T>(
  hop: Hop,
  options: FetchOptions,
  signal: AbortSignal,
  use: (answer: Answer) => Promise<T>,
): Promise<{ result: T } | { next: Hop }> {
  const addresses = await orAborted(
    resolveAllowed(hop.url, options.networkPolicy, options.lookup),
    signal,
  );
  // Imported on first use, so that the start of the host is faster.
  const { Client } = await import('undici');
  const client = new Client(hop.url.origin, {
    connect: {
      lookup: lookupOf(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: attemptMs,
      signal,
    },
    allowH2: false,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: idleMs,
  });
  try {
    const { url, method, headers, body } = hop;
    const path = url.pathname + url.search;
    const asked = client.request({ path, method, headers, body, signal, reset: true });
    const response = await asked.catch((error: unknown) => {
      throw webFailure(error, hostOf(url));
    });
    // A reader receives the error from the stream; without a reader it is not an uncaught error.
    response.body.on('error', () => undefined);
    const next = nextHop(
      hop,
      response.statusCode,
      response.headers.location,
      options.networkPolicy,
    );
    if (next && options.sameOrigin === true && next.url.origin !== url.origin)
      throw refused(msg('web.redirectsElsewhere', { host: hostOf(url) }));
    if (next) await requireFollowing(next, options, signal);
    if (next) return { next };
    return { result: await use(answerOf(hop, response, options.maxBytes)) };
  } finally {
    await client.destroy();
  }
}

async function requireFollowing(
  { url }: Hop,
  { objection }: FetchOptions,
  signal: AbortSignal,
): Promise<void> {
  const reason = objection && (await orAborted(objection(url), signal));
  if (reason !== undefined && reason !== null) throw refused(reason);
}

function answerOf(hop: Hop, response: Dispatcher.ResponseData, maxBytes: number): Answer {
  const headers = plainHeaders(response.headers);
  const host = hostOf(hop.url);
  const encoding = headers['content-encoding'];
  const isBodiless = bodiless.has(response.statusCode) || hop.method === 'HEAD';
  const hasLength = encoding === undefined && !isBodiless;
  const totalBytes = hasLength ? lengthOf(headers['content-length']) : null;
  return {
    status: response.statusCode,
    headers,
    url: hop.url.href,
    totalBytes,
    read: async (onPiece) => {
      if ((totalBytes ?? 0) > maxBytes) throw tooLarge(host, maxBytes);
      if (isBodiless) return;
      let received = 0;
      for await (const piece of piecesOf(response.body, encoding, host)) {
        received += piece.length;
        if (received > maxBytes) throw tooLarge(host, maxBytes);
        await onPiece(piece);
      }
    },
  };
}

/** An error of the consumer is not an error of the body, so it is not converted here. */
async function* piecesOf(
  body: Readable,
  encoding: string | undefined,
  host: string,
): AsyncGenerator<Buffer> {
  try {
    yield* (await decodeBody(body, encoding, host)) as AsyncIterable<Buffer>;
  } catch (error) {
    throw error instanceof HostError ? error : webFailure(error, host);
  }
}

function plainHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return Object.fromEntries(pairs) as Record<string, string>;
}

function lengthOf(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

function tooLarge(host: string, maxBytes: number): HostError {
  const mebibytes = maxBytes / 1024 ** 2;
  const limit = Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${maxBytes} bytes`;
  return new HostError('too-large', 'too_large', msg('web.tooLarge', { host, limit }));
}

function tooManyRedirects(hop: Hop): HostError {
  const message = msg('web.tooManyRedirects', { host: hostOf(hop.url) });
  return new HostError('upstream-failed', 'too_many_redirects', message);
}
