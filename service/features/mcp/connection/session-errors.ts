import { HostError } from '../../../core/host-error.ts';
import { readableText } from '../../../core/readable-text.ts';
import { SamplingRefusal } from '../sampling/sampling-refusal.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';
import { ServerFailure } from './server-failure.ts';
import { isBrokenOff } from './watch-streams.ts';

const maxMessageCharacters = 2_000;
const detailsCharacters = 20_000;
/** JSON-RPC code of an unsupported protocol version. */
const otherVersionCode = -32_022;
const maxVersionsCharacters = 100;

/** True if the server requires the user to sign in. */
export const wantsSignIn = (error: unknown): boolean =>
  hasName(error, 'UnauthorizedError') ||
  hasName(error, 'InsufficientScopeError') ||
  ['CLIENT_HTTP_AUTHENTICATION', 'mcp_needs_auth'].some((code) => codeOf(error) === code);

/**
 * Converts an error of a server to a readable one. `ending` is why its connection ended, if it did.
 * Protocol errors have their JSON-RPC code as `rpcCode`.
 */
export function toHostError(
  error: unknown,
  name: string,
  endReason: HostText | null = null,
): HostError {
  if (error instanceof HostError) return error;
  if (error instanceof SamplingRefusal)
    return failed(msg('mcp.wantedModelAnswer', { name, reason: error.text }), error);
  const code = codeOf(error);
  if (isLate(error))
    return new HostError('upstream-timeout', 'mcp_timeout', msg('mcp.timeout', { name }), {
      cause: error,
    });
  if (typeof code === 'number' && code < 0) return failed(answered(name, code, error), error, code);
  if (endReason !== null || code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED')
    return failed(connectionLost(name, endReason), error);
  if (wantsSignIn(error))
    return new HostError('unavailable', 'mcp_needs_auth', msg('mcp.needsSignIn', { name }), {
      cause: error,
    });
  return failed(msg('mcp.failed', { name, reason: messageOf(error) }), error);
}

/** `reason` is null if it is unknown. */
export const connectionLost = (name: string, reason: HostText | null): Message =>
  reason === null
    ? msg('mcp.connectionLost', { name })
    : msg('mcp.connectionLostBecause', { name, reason });

export const serverDisabled = (name: string): HostError =>
  new HostError('conflict', 'mcp_disabled', msg('mcp.disabled', { name }));

/** True if no answer came in time. */
export const isLate = (error: unknown): boolean =>
  codeOf(error) === 'REQUEST_TIMEOUT' ||
  (error instanceof DOMException && error.name === 'TimeoutError');

function answered(name: string, code: number, error: unknown): Message {
  if (isBrokenOff(error)) return msg('mcp.answerBrokeOff', { name });
  if (code !== otherVersionCode)
    return msg('mcp.answeredWithError', { name, reason: messageOf(error) });
  const { supported } = (error as { data?: { supported?: unknown } }).data ?? {};
  const versions = Array.isArray(supported)
    ? supported.join(', ').slice(0, maxVersionsCharacters)
    : '';
  return versions === ''
    ? msg('mcp.otherVersion', { name })
    : msg('mcp.otherVersions', { name, versions });
}

/** Has the server's output as `details` if it is data. */
function failed(text: Message, cause: unknown, rpcCode?: number): HostError {
  const { details } = readableText(writtenIn(cause));
  return new HostError('upstream-failed', 'mcp_failed', text, {
    cause,
    ...(rpcCode === undefined ? {} : { rpcCode }),
    ...(details === undefined ? {} : { details: details.slice(0, detailsCharacters) }),
  });
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

const hasName = (error: unknown, name: string): boolean =>
  error instanceof Error && error.constructor.name === name;

/** True if a failed request means that a remote server, or its session, is gone. */
export function isSessionLost(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return [400, 404, 410].includes(status) || status >= 500;
  const code = codeOf(error);
  if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED') return true;
  return error instanceof TypeError;
}

/** True if the single stream of a server over SSE ended, which ends the session. */
export const isStreamEnd = (error: unknown): boolean => hasName(error, 'SseError');

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status } = error as { status?: unknown };
  if (typeof status === 'number') return status;
  // The SDK's SSE transport has the status only in its message.
  const statusText = /\(HTTP (\d{3})\)/.exec(error.message)?.[1];
  return statusText === undefined ? undefined : Number(statusText);
}

/** The cause is more precise if there is one; `fetch failed` says nothing. */
export function messageOf(error: unknown): HostText {
  const failure = [error, error instanceof Error ? error.cause : null].find(
    (one) => one instanceof ServerFailure,
  );
  if (failure) return failure.text;
  const { sentence } = readableText(writtenIn(error));
  return sentence === '' ? msg('mcp.noReason') : sentence.slice(0, maxMessageCharacters);
}

function writtenIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const below = error.cause instanceof Error ? error.cause.message : '';
  const isBare = /^(?:fetch failed|SSE error: TypeError: fetch failed.*)$/s.test(error.message);
  return isBare && below !== '' ? below : error.message;
}
