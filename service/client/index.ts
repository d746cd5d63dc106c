import { createParser } from 'eventsource-parser';
import type { z } from 'zod';
import type {
  Endpoint,
  EventOf,
  EventsOf,
  Multipart,
  Parsed,
  Problem,
  Received,
  Sent,
} from '../contract/index.ts';
import { tokenHeader } from '../contract/index.ts';

/** Connection of a client to the service. */
export interface ClientOptions {
  /** Without a trailing slash; empty for the page's own origin. */
  baseUrl: string;
  /** Read before each request; null sends none. */
  token: () => string | null;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

type Fields<E extends Endpoint> = E['body'] extends Multipart<infer F> ? Sent<F> : Sent<E['body']>;

type Part<K extends string, V> = [V] extends [undefined]
  ? object
  : undefined extends V
    ? { [key in K]?: V }
    : object extends V
      ? { [key in K]?: V }
      : { [key in K]: V };

/** Input of a call of `E`: parameters, query, body, and a signal that cancels it. */
export type CallInput<E extends Endpoint> = Part<'params', Sent<E['params']>> &
  Part<'query', Sent<E['query']>> &
  (E['body'] extends Multipart<z.ZodType, true>
    ? { files: readonly { blob: Blob; name?: string }[]; fields?: Fields<E> }
    : E['body'] extends Multipart
      ? { file: Blob; fileName?: string; fields?: Fields<E> }
      : Part<'body', Sent<E['body']>>) & { signal?: AbortSignal };

type Arguments<E extends Endpoint> =
  object extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

/** The service answered with a problem, or could not be reached (`status` 0, code `unreachable`). */
export class ServiceError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ServiceError';
    this.problem = problem;
  }
}

/**
 * Typed client of the service API. Every method rejects with `ServiceError`, or with the abort
 * reason of `signal`.
 */
export interface Client {
  /** Resolves with the reply; rejects with `ServiceError`, or the abort reason of `signal`. */
  call<E extends Endpoint>(endpoint: E, ...input: Arguments<E>): Promise<Received<E>>;
  /** Starts work in the background; resolves with the body of 202 as soon as it has started. */
  start<E extends Endpoint>(endpoint: E, ...input: Arguments<E>): Promise<Parsed<E['accepted']>>;
  /**
   * Yields events until the server ends the stream. An `error` event is thrown as `ServiceError`.
   */
  stream<E extends Endpoint>(
    endpoint: E,
    ...input: Arguments<E>
  ): AsyncGenerator<EventOf<EventsOf<E>>>;
  /** Returns the response of an endpoint that answers with bytes, with an unread body. */
  open<E extends Endpoint>(endpoint: E, ...input: Arguments<E>): Promise<Response>;
  /** Returns the headers of the response to HEAD, without a body. */
  head<E extends Endpoint>(endpoint: E, ...input: Arguments<E>): Promise<Headers>;
  url(endpoint: Endpoint, input?: LooseInput): string;
}

interface LooseInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  file?: Blob;
  fileName?: string;
  files?: readonly { blob: Blob; name?: string }[];
  fields?: unknown;
  signal?: AbortSignal;
}

export function createClient(options: ClientOptions): Client {
  const request = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  const url = (endpoint: Endpoint, input: LooseInput = {}): string =>
    options.baseUrl + pathOf(endpoint, input.params) + queryOf(input.query);

  async function send(
    endpoint: Endpoint,
    input: LooseInput,
    accept: string,
    { prefer, method = endpoint.method }: { prefer?: string; method?: string } = {},
  ): Promise<Response> {
    const headers = new Headers({ Accept: accept });
    if (prefer !== undefined) headers.set('Prefer', prefer);
    const token = options.token();
    if (token !== null) headers.set(tokenHeader, token);
    const body = bodyOf(endpoint, input);
    if (typeof body === 'string') headers.set('Content-Type', 'application/json');
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = body;
    if (input.signal) init.signal = input.signal;
    const response = await request(url(endpoint, input), init).catch(lost(input));
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  async function ask(endpoint: Endpoint, input: LooseInput = {}, prefer?: string): Promise<never> {
    const response = await send(
      endpoint,
      input,
      'application/json',
      prefer === undefined ? {} : { prefer },
    );
    const text = await response.text().catch(lost(input));
    return (text === '' ? undefined : parse(text, response)) as never;
  }

  return {
    url,
    call: (endpoint, ...[input]) => ask(endpoint, input),
    start: (endpoint, ...[input]) => ask(endpoint, input, 'respond-async'),
    open: (endpoint, ...[input]) => send(endpoint, input ?? {}, '*/*'),
    head: async (endpoint, ...[input]) =>
      (await send(endpoint, input ?? {}, '*/*', { method: 'HEAD' })).headers,
    async *stream(endpoint, ...[input]) {
      const callInput: LooseInput = input ?? {};
      const response = await send(endpoint, callInput, 'text/event-stream');
      for await (const { event, data } of framesOf(response, lost(callInput))) {
        if (event === 'error') throw streamFailed(data);
        yield { event, data } as never;
      }
    },
  };
}

function pathOf(endpoint: Endpoint, params: unknown): string {
  const values = (params ?? {}) as Record<string, string | string[]>;
  return endpoint.path.replace(/\{\*?(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return (Array.isArray(value) ? value : [value]).map(encodeURIComponent).join('/');
  });
}

function queryOf(query: unknown): string {
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) =>
      (Array.isArray(value) ? value : [value]).map((item) => [
        key,
        String(item as string | number | boolean),
      ]),
    );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function bodyOf(endpoint: Endpoint, input: LooseInput): string | FormData | undefined {
  if (endpoint.body === undefined) return undefined;
  if (!('kind' in endpoint.body)) return JSON.stringify(input.body ?? {});
  return formOf(endpoint.body, input);
}

function formOf({ file: field }: Multipart, input: LooseInput): FormData {
  const form = new FormData();
  const fields = (input.fields ?? {}) as Record<string, string | string[] | undefined>;
  // Fields first: the service reads the body as a stream and needs them before the file ends.
  for (const [name, value] of Object.entries(fields))
    for (const one of [value ?? []].flat()) form.append(name, one);
  if (input.file) form.append(field, input.file, input.fileName ?? 'file');
  for (const { blob, name } of input.files ?? []) form.append(field, blob, name ?? 'file');
  return form;
}

async function* framesOf(
  response: Response,
  onLoss: (error: unknown) => never,
): AsyncGenerator<{ event: string; data: unknown }> {
  if (!response.body) return;
  const frames: { event: string; data: unknown }[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) =>
      frames.push({ event: event ?? 'message', data: JSON.parse(data) }),
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(onLoss);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* frames.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function problemOf(response: Response): Promise<ServiceError> {
  const text = await response.text().catch(() => '');
  try {
    const problem = JSON.parse(text) as Problem;
    if (typeof problem.detail === 'string') return new ServiceError(problem);
  } catch {
    // Not a problem document, so only the status describes the error.
  }
  return unexpected(response);
}

function parse(text: string, response: Response): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw unexpected(response);
  }
}

function unexpected(response: Response): ServiceError {
  return new ServiceError({
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    detail: `The service answered ${response.status} ${response.statusText}.`,
    code: 'unexpected_answer',
  });
}

/** Returns a handler that throws `ServiceError`, or the original error if the caller has aborted. */
function lost({ signal }: LooseInput): (error: unknown) => never {
  return (error) => {
    throw signal?.aborted ? error : unreachable(error);
  };
}

function unreachable(cause: unknown): ServiceError {
  const error = new ServiceError({
    type: 'about:blank',
    title: 'Unreachable',
    status: 0,
    detail: 'The service does not answer. It may be starting or stopped.',
    code: 'unreachable',
  });
  error.cause = cause;
  return error;
}

function streamFailed(data: unknown): ServiceError {
  if (typeof (data as Partial<Problem> | null)?.detail === 'string')
    return new ServiceError(data as Problem);
  const message = (data as { message?: unknown } | null)?.message;
  return new ServiceError({
    type: 'about:blank',
    title: 'Stream failed',
    status: 0,
    detail: typeof message === 'string' ? message : 'The stream failed.',
    code: 'stream_failed',
  });
}
