import type { Agent, Dispatcher, fetch as undiciFetch } from 'undici';
import type { Log } from '../../../platform/log.ts';
import { wholeText } from './answer-events.ts';
import { toModelError, ModelError, refusalFacts } from './model-error.ts';
import { modelLimits, type ModelLimits } from './model-limits.ts';

/** Bytes of an error body or a list of models. */
const maxDocumentBytes = 4 * 1024 * 1024;
const maxRedirects = 3;

/**
 * Request headers that are sent; the SDKs add others that describe this machine and its
 * environment.
 */
const sentHeaders = new Set(['accept', 'content-type', 'anthropic-version', 'anthropic-beta']);

/** The type of the SDKs' option `fetch`. */
export type WireFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Makes all requests to model servers: undici's `fetch` without proxies, with time limits, and
 * without the key for other origins. All failures are thrown as `ModelError`.
 */
export class ModelWire {
  readonly limits: ModelLimits;
  private transport: Promise<Transport> | null = null;
  private readonly log: Pick<Log, 'debug'> | undefined;

  constructor(limits: Partial<ModelLimits> = {}, log?: Pick<Log, 'debug'>) {
    this.limits = { ...modelLimits, ...limits };
    this.log = log;
  }

  /** `headers` are sent with each request, but only to the server's own origin. */
  fetch(headers: Record<string, string>): WireFetch {
    return (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : String(input));
      const sent = { ...plainHeaders(init.headers), ...headers };
      return this.request(url, { ...init, headers: sent });
    };
  }

  async close(): Promise<void> {
    const transport = await this.transport;
    this.transport = null;
    await transport?.agent.destroy();
  }

  private async request(url: URL, init: RequestInit): Promise<Response> {
    const startedMs = performance.now();
    const log = (outcome: string): void => {
      const ms = Math.round(performance.now() - startedMs);
      const name = `${init.method ?? 'GET'} ${url.host}${url.pathname}`;
      this.log?.debug('models', () => `${name}: ${outcome} after ${ms} ms`);
    };
    try {
      const response = await this.redirected(url, init);
      log(`status ${response.status}`);
      if (!response.ok) throw await this.refusalOf(response);
      return response;
    } catch (error) {
      if (init.signal?.aborted === true) {
        log('ended by its caller');
        throw error;
      }
      const modelError = toConnectionError(error);
      if (modelError.kind !== 'refused') log(`failed (${modelError.kind})`);
      throw modelError;
    }
  }

  private async redirected(url: URL, init: RequestInit): Promise<Response> {
    const { fetch, agent } = await (this.transport ??= openTransport(this.limits));
    let target = url;
    for (let redirects = 0; ; redirects += 1) {
      const options = { ...init, redirect: 'manual' as const, dispatcher: agent as Dispatcher };
      const response = await (fetch as unknown as WireFetch)(target.href, options as RequestInit);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return response;
      await response.body?.cancel();
      const next = URL.parse(location, target.href);
      if (next?.origin !== url.origin || redirects >= maxRedirects)
        throw new ModelError('redirected', { text: next?.origin ?? '' });
      target = next;
    }
  }

  private async refusalOf(response: Response): Promise<ModelError> {
    const { status, headers } = response;
    const limits = { ...this.limits, maxLineBytes: maxDocumentBytes };
    const text = await wholeText(response, limits, this.limits.refusalMs).catch(() => '');
    const facts = refusalFacts(documentOf(text));
    const isPage = headers.get('content-type')?.includes('html') === true;
    return new ModelError('refused', {
      ...facts,
      text: isPage ? '' : facts.text,
      status,
      retryAfterMs: pauseOf(headers.get('retry-after')),
    });
  }
}

interface Transport {
  fetch: typeof undiciFetch;
  agent: Agent;
}

async function openTransport({ connectMs, firstByteMs }: ModelLimits): Promise<Transport> {
  // Loaded on demand, to keep the start of the host short.
  const { Agent, fetch } = await import('undici');
  const agent = new Agent({
    connect: { timeout: connectMs },
    allowH2: false,
    headersTimeout: firstByteMs,
    // The reader of an answer limits silence.
    bodyTimeout: 0,
  });
  return { fetch, agent };
}

/** A failure before the answer began. */
function toConnectionError(error: unknown): ModelError {
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return new ModelError('stalled', { cause: error });
  const modelError = toModelError(error);
  return modelError.kind === 'broken-off'
    ? new ModelError('unreachable', { code, cause: error })
    : modelError;
}

/** Milliseconds of a `Retry-After` header in seconds or as a date. */
function pauseOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function documentOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return { message: text };
  }
}

function plainHeaders(headers: RequestInit['headers']): Record<string, string> {
  const allowed = [...new Headers(headers)].filter(([name]) => sentHeaders.has(name));
  return {
    'user-agent': 'plugin-host',
    'accept-encoding': 'identity',
    ...Object.fromEntries(allowed),
  };
}

/** The system's error code, which `fetch` wraps in its own errors. */
function codeOf(error: unknown): string {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const { code, errors = [] } = inner as { code?: unknown; errors?: { code?: unknown }[] };
    const found = errors[0]?.code ?? code;
    if (typeof found === 'string') return found;
  }
  return '';
}
