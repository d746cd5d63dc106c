import { HostError } from '../../../core/host-error.ts';
import { readableText } from '../../../core/readable-text.ts';
import { SamplingRefusal } from '../sampling/sampling-refusal.ts';

const maxMessageCharacters = 2_000;
const detailsCharacters = 20_000;
/** Unsupported protocol version. */
const otherVersionCode = -32_022;
const maxVersionsCharacters = 100;

/** Whether the server wants the person to sign in. */
export const wantsSignIn = (error: unknown): boolean =>
  hasName(error, 'UnauthorizedError') ||
  hasName(error, 'InsufficientScopeError') ||
  ['CLIENT_HTTP_AUTHENTICATION', 'mcp_needs_auth'].some((code) => codeOf(error) === code);

/**
 * What went wrong with a server, in a sentence. `ending` is why its connection ended, where it did.
 * Errors of the protocol carry their code as `rpcCode`.
 */
export function toHostError(
  error: unknown,
  name: string,
  endReason: string | null = null,
): HostError {
  if (error instanceof HostError) return error;
  if (error instanceof SamplingRefusal) {
    const message = `The MCP server ${name} wanted an answer of the model. ${error.message}`;
    return failed(message, error);
  }
  const code = codeOf(error);
  if (isLate(error)) {
    const message = `The MCP server ${name} did not answer in time.`;
    return new HostError('upstream-timeout', 'mcp_timeout', message, { cause: error });
  }
  if (typeof code === 'number' && code < 0) {
    const message = `The MCP server ${name} ${answeredWith(code, error)}`;
    return failed(message, error, code);
  }
  if (endReason !== null || code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED') {
    const why = endReason === null ? 'its connection was lost' : endReason;
    return failed(`The MCP server ${name} went away: ${why}.`, error);
  }
  if (wantsSignIn(error)) {
    const message = `The MCP server ${name} wants you to sign in.`;
    return new HostError('unavailable', 'mcp_needs_auth', message, { cause: error });
  }
  return failed(`The MCP server ${name} could not be used: ${messageOf(error)}`, error);
}

/** Whether no answer came in time. */
export const isLate = (error: unknown): boolean =>
  codeOf(error) === 'REQUEST_TIMEOUT' ||
  (error instanceof DOMException && error.name === 'TimeoutError');

function answeredWith(code: number, error: unknown): string {
  if (code !== otherVersionCode) return `answered with an error: ${messageOf(error)}`;
  const { supported } = (error as { data?: { supported?: unknown } }).data ?? {};
  const versions = Array.isArray(supported)
    ? supported.join(', ').slice(0, maxVersionsCharacters)
    : '';
  const which = versions === '' ? '' : `: ${versions}`;
  return `speaks other versions of the protocol than this host${which}. Update the one that is older.`;
}

/** With what the server wrote as `details`, where that is data. */
function failed(message: string, cause: unknown, rpcCode?: number): HostError {
  const { details } = readableText(writtenIn(cause));
  return new HostError('upstream-failed', 'mcp_failed', message, {
    cause,
    ...(rpcCode === undefined ? {} : { rpcCode }),
    ...(details === undefined ? {} : { details: details.slice(0, detailsCharacters) }),
  });
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

const hasName = (error: unknown, name: string): boolean =>
  error instanceof Error && error.constructor.name === name;

/** Whether a failed question means that a remote server, or its session, is no longer there. */
export function isSessionLost(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return [400, 404, 410].includes(status) || status >= 500;
  const code = codeOf(error);
  if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED') return true;
  return error instanceof TypeError;
}

/** Whether the one stream of a server over SSE ended; with it ends the session. */
export const isStreamEnd = (error: unknown): boolean => hasName(error, 'SseError');

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status } = error as { status?: unknown };
  if (typeof status === 'number') return status;
  // The SDK's transport for SSE tells it in its words alone.
  const statusText = /\(HTTP (\d{3})\)/.exec(error.message)?.[1];
  return statusText === undefined ? undefined : Number(statusText);
}

/** The reason below it says more where one was given; `fetch failed` alone says nothing. */
export function messageOf(error: unknown): string {
  const { sentence } = readableText(writtenIn(error));
  return (sentence || 'it answered with data that says nothing').slice(0, maxMessageCharacters);
}

function writtenIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const below = error.cause instanceof Error ? error.cause.message : '';
  const isBare = /^(?:fetch failed|SSE error: TypeError: fetch failed.*)$/s.test(error.message);
  return isBare && below !== '' ? below : error.message;
}
