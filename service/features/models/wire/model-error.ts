import { isObject } from '../../../core/is-object.ts';
/**
 * Kinds of failures:
 * - `refused`: the server answered with an error, see `status`
 * - `unreachable`: there was no answer
 * - `redirected`: the server points to another address
 * - `stalled`: nothing was received for too long
 * - `broken-off`: the answer stopped before its end
 * - `unreadable`: the answer is not one of a model
 * - `too-large`: the answer exceeds the limits of the host
 */
export type ModelErrorKind =
  'refused' | 'unreachable' | 'redirected' | 'stalled' | 'broken-off' | 'unreadable' | 'too-large';

/** Details of a failure, as far as they are known. */
export interface ModelErrorFacts {
  /** HTTP status, or the equivalent of an error in a stream. */
  status?: number;
  /** Message of the server or of the system. Never shown unfiltered. */
  text?: string;
  /** The server's own code of the error. */
  code?: string;
  /** Pause that the server requests. */
  retryAfterMs?: number;
  cause?: unknown;
}

/**
 * A failure between the host and a model server, without a message for people; see `toHostError`.
 */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  readonly status: number | undefined;
  readonly text: string;
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(kind: ModelErrorKind, facts: ModelErrorFacts = {}) {
    super(kind, { cause: facts.cause });
    this.name = 'ModelError';
    this.kind = kind;
    this.status = facts.status;
    this.text = facts.text ?? '';
    this.code = facts.code ?? '';
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** Statuses of error codes in streams, which have no status. */
const statusByCode: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 402,
  billing_error: 402,
  api_error: 500,
  server_error: 500,
  internal_server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** SDKs wrap errors in their own, some of them twice. */
const maxCauses = 5;

/** Converts anything thrown by an SDK or the network. */
export function toModelError(error: unknown): ModelError {
  let inner = error;
  for (let depth = 0; depth < maxCauses && inner instanceof Error; depth += 1) {
    if (inner instanceof ModelError) return inner;
    if (inner instanceof SyntaxError) return new ModelError('unreadable', { cause: error });
    inner = inner.cause;
  }
  const payload = (error as { error?: unknown } | null)?.error;
  if (isObject(payload)) return refusalOf(payload, error);
  return new ModelError('broken-off', { text: messageOf(error), cause: error });
}

/** An error in JSON: `{error: {message, type, code}}`, or the inner part alone. */
export function refusalOf(payload: unknown, cause?: unknown): ModelError {
  return new ModelError('refused', { ...refusalFacts(payload), cause });
}

/** Reads message and code of an error in JSON. */
export function refusalFacts(payload: unknown): ModelErrorFacts {
  const outer = isObject(payload) ? payload : {};
  const inner = isObject(outer['error']) ? outer['error'] : outer;
  const codes = [inner['code'], inner['type']].filter((word) => typeof word === 'string');
  const numbers = [inner['code'], inner['status'], outer['code']].map(Number);
  const status =
    numbers.find((number) => Number.isInteger(number) && number >= 400 && number < 600) ??
    codes.map((word) => statusByCode[word]).find((mapped) => mapped !== undefined);
  const text = [inner['message'], outer['error'], outer['message'], outer['detail']].find(
    (candidate) => candidate !== undefined && candidate !== null && candidate !== '',
  );
  return {
    status,
    code: codes.join(' '),
    text: typeof text === 'string' ? text : JSON.stringify(text ?? payload ?? ''),
  };
}

const retriedStatuses = new Set([408, 425, 429, 500, 502, 503, 504, 529]);

/** True if the same request may succeed a little later. */
export function isRetryable(modelError: ModelError): boolean {
  if (modelError.kind === 'unreachable') return !isCertificateError(modelError);
  if (modelError.kind === 'broken-off') return true;
  return (
    modelError.kind === 'refused' &&
    retriedStatuses.has(modelError.status ?? 0) &&
    !isQuota(modelError)
  );
}

/** True if the account has no credit or quota left. */
export const isQuota = ({ status, text, code }: ModelError): boolean =>
  status === 402 ||
  /insufficient_quota|billing|credit balance|exceeded your current quota/i.test(`${code} ${text}`);

/** True if the request exceeds the context window. */
export const isContextTooLong = ({ status, text, code }: ModelError): boolean =>
  status === 413 ||
  /context_length_exceeded|context (length|window|size)|prompt is too long|too many (input )?tokens|maximum context|exceeds? the (available|max\w*) context|input length.*exceed/i.test(
    `${code} ${text}`,
  );

/** True if the TLS certificate of the server is not trusted. */
export const isCertificateError = ({ code }: ModelError): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/.test(code);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
