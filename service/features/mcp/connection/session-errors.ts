import { HostError } from '../../../core/host-error.ts';
import { readableText } from '../../../core/readable-text.ts';
import { SamplingRefusal } from '../sampling/sampling-refusal.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';
import { ServerFailure } from './server-failure.ts';
import { isBrokenOff } from './watch-streams.ts';

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

/** Null: the reason is not known. */
export const connectionLost = (name: string, reason: HostText | null): Message =>
  reason === null
    ? msg('mcp.connectionLost', { name })
    : msg('mcp.connectionLostBecause', { name, reason });

export const serverDisabled = (name: string): HostError =>
  new HostError('conflict', 'mcp_disabled', msg('mcp.disabled', { name }));

/** Whether no answer came in time. */
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

/** With what the server wrote as `details`, where that is data. */
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
