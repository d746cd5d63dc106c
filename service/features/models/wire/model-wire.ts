import type { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { HostError } from '../../../core/host-error.ts';
import type { Log } from '../../../platform/log.ts';
import { decodeBody } from '../../../platform/web/decode-body.ts';
import { bodyStream, type BodyKind } from './body-stream.ts';
import { ModelFault, refusalFacts } from './model-fault.ts';
import { modelLimits, type ModelLimits } from './model-limits.ts';

/** Of an error's body and of a list of models. */
const maxDocumentBytes = 4 * 1024 * 1024;
const maxRedirects = 3;

/** What a request may carry; packages add what they know of this machine. */
const sentHeaders = new Set(['accept', 'content-type', 'anthropic-version', 'anthropic-beta']);

/** How one backend asks its server. */
export interface WireOptions {
  /** Sent with each request, to the server's own origin only. */
  headers: Record<string, string>;
  /** What a good answer to a `POST` is made of. */
  body: BodyKind;
  /** Called when an event stream said `[DONE]`. */
  done?: () => void;
}

/** Stands in for the `fetch` of the packages. */
export type WireFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The one way to the model servers: no proxies, no key for another origin, limits on time and size.
 * All that goes wrong is thrown as a `ModelFault`.
 */
export class ModelWire {
  readonly limits: ModelLimits;
  private agent: Promise<Agent> | null = null;

  private readonly log: Pick<Log, 'debug'> | undefined;

  constructor(limits: Partial<ModelLimits> = {}, log?: Pick<Log, 'debug'>) {
    this.limits = { ...modelLimits, ...limits };
    this.log = log;
  }

  fetch(options: WireOptions): WireFetch {
    return (input, init) => this.exchange(options, input, init);
  }

  async close(): Promise<void> {
    const agent = await this.agent;
    this.agent = null;
    await agent?.destroy();
  }

  private async exchange(
    options: WireOptions,
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> {
    const wait = new FirstByte(this.limits.firstByteMs, init.signal ?? undefined);
    const url = new URL(urlOf(input));
    const startedMs = performance.now();
    const log = (outcome: string): void => {
      const ms = Math.round(performance.now() - startedMs);
      const name = `${init.method ?? 'GET'} ${url.host}${url.pathname}`;
      this.log?.debug('models', () => `${name}: ${outcome} after ${ms} ms`);
    };
    try {
      const response = await this.request(options, url, init, wait.signal);
      const { statusCode, body } = response;
      log(`status ${statusCode}`);
      // Whoever reads it hears of its end; when nobody does, that is no uncaught error.
      body.on('error', () => undefined);
      if (statusCode < 200 || statusCode > 299) throw await refusalOf(response, wait);
      return await this.answer(options, init, response, wait);
    } catch (error) {
      wait.done();
      const fault = wait.faultOr(error, 'unreachable');
      log(fault instanceof ModelFault ? `failed (${fault.kind})` : 'ended by its caller');
      throw fault;
    }
  }

  private async request(
    options: WireOptions,
    url: URL,
    init: RequestInit,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const agent = await (this.agent ??= newAgent(this.limits.connectMs));
    const method = init.method === 'POST' ? 'POST' : 'GET';
    const headers = { ...plainHeaders(init.headers), ...options.headers };
    const body = typeof init.body === 'string' ? init.body : undefined;
    let target = url;
    for (let redirects = 0; ; redirects += 1) {
      const path = target.pathname + target.search;
      const place = { origin: url.origin, path };
      const response = await agent.request({ ...place, method, headers, body, signal });
      const next = redirectOf(response, target);
      if (next === null) return response;
      response.body.on('error', () => undefined).destroy();
      if (next?.origin !== url.origin || redirects >= maxRedirects)
        throw new ModelFault('redirected', { text: next?.origin ?? '' });
      target = next;
    }
  }

  private async answer(
    options: WireOptions,
    init: RequestInit,
    response: Dispatcher.ResponseData,
    wait: FirstByte,
  ): Promise<Response> {
    const type = String(response.headers['content-type'] ?? '').toLowerCase();
    if (type.includes('html') || (options.body === 'lines' && type.includes('event-stream'))) {
      response.body.destroy();
      throw new ModelFault('unreadable');
    }
    const encoding = [response.headers['content-encoding']].flat()[0];
    const body = await decodeBody(response.body, encoding, '');
    if (init.method === 'POST') {
      const stream = bodyStream(body, {
        kind: options.body,
        isDocument: type.includes('application/json'),
        limits: this.limits,
        begun: () => wait.done(),
        done: () => options.done?.(),
        faultOr: (error) => wait.faultOr(error, 'broken-off'),
      });
      return new Response(stream, { status: 200, headers: { 'content-type': type } });
    }
    const text = await textOf(body, maxDocumentBytes);
    wait.done();
    return new Response(text, { status: 200, headers: { 'content-type': 'application/json' } });
  }
}

/** Ends a request whose answer does not begin; the caller's signal ends it at any time. */
class FirstByte {
  readonly signal: AbortSignal;
  private readonly given: AbortSignal | undefined;
  private readonly late = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(limitMs: number, given: AbortSignal | undefined) {
    this.given = given;
    this.signal = given ? AbortSignal.any([given, this.late.signal]) : this.late.signal;
    this.timer = setTimeout(() => this.late.abort(), limitMs);
  }

  done(): void {
    clearTimeout(this.timer);
  }

  /** What an error means: the caller's own word goes first, then the time limit. */
  faultOr(error: unknown, kind: 'unreachable' | 'broken-off'): unknown {
    if (this.given?.aborted) return this.given.reason;
    if (this.late.signal.aborted) return new ModelFault('stalled');
    if (error instanceof ModelFault) return error;
    if (error instanceof HostError) return new ModelFault('unreadable', { cause: error });
    return new ModelFault(kind, { code: codeOf(error), cause: error });
  }
}

/** Where an answer points to: null for nowhere, undefined for what is no address. */
function redirectOf(response: Dispatcher.ResponseData, from: URL): URL | null | undefined {
  const { statusCode, headers } = response;
  const [location] = [headers['location']].flat();
  if (statusCode < 300 || statusCode > 399 || location === undefined) return null;
  return URL.parse(location, from.href) ?? undefined;
}

async function newAgent(connectMs: number): Promise<Agent> {
  // A start of the host does not wait for it.
  const { Agent } = await import('undici');
  return new Agent({
    connect: { timeout: connectMs },
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

async function refusalOf(response: Dispatcher.ResponseData, wait: FirstByte): Promise<ModelFault> {
  const { statusCode: status, headers } = response;
  const text = await textOf(response.body, maxDocumentBytes).catch(() => '');
  wait.done();
  const facts = refusalFacts(documentOf(text));
  const isPage = String(headers['content-type']).includes('html');
  const retryAfterMs = pauseOf([headers['retry-after']].flat()[0]);
  return new ModelFault('refused', {
    ...facts,
    text: isPage ? '' : facts.text,
    status,
    retryAfterMs,
  });
}

function documentOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return { message: text };
  }
}

/** `Retry-After` in seconds or as a date. */
function pauseOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

async function textOf(body: Readable, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new ModelFault('too-large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function plainHeaders(given: RequestInit['headers']): Record<string, string> {
  const known = [...new Headers(given)].filter(([name]) => sentHeaders.has(name));
  return {
    'user-agent': 'plugin-host',
    'accept-encoding': 'identity',
    ...Object.fromEntries(known),
  };
}

const urlOf = (input: string | URL | Request): string =>
  input instanceof Request ? input.url : String(input);

function codeOf(error: unknown): string {
  const outer = error as {
    code?: unknown;
    errors?: { code?: unknown }[];
    cause?: { code?: unknown };
  };
  const code = outer.errors?.[0]?.code ?? outer.code ?? outer.cause?.code;
  return typeof code === 'string' ? code : '';
}
