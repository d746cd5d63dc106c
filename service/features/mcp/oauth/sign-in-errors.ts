import { HostError } from '../../../core/host-error.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';

/** The user must sign in before the server can be used. */
export const signInNeeded = (text: Message): HostError =>
  new HostError('unavailable', 'mcp_needs_auth', text);

export const signInFailed = (text: Message, cause?: unknown): HostError =>
  new HostError('upstream-failed', 'sign_in_failed', text, { cause });

export const noSignInOffered = (name: string): HostError =>
  new HostError('conflict', 'no_sign_in_offered', noSignInText(name));

export const portTaken = (name: string, port: number): HostError =>
  new HostError(
    'conflict',
    'callback_port_taken',
    msg('mcp.callbackPortTaken', { name, port: String(port) }),
  );

export const noSignInText = (name: string): Message => msg('mcp.noSignInOffered', { name });

export const isCode = (error: unknown, code: string): boolean =>
  error instanceof HostError && error.code === code;

const textByErrorName: Record<string, Message> = {
  IssuerMismatchError: msg('mcp.signInOtherIssuer'),
  AuthorizationServerMismatchError: msg('mcp.signInOtherIssuer'),
  InsecureTokenEndpointError: msg('mcp.signInNotSafe'),
};

/** True if an authorization server refused to register this host. */
export const isRegistrationRefused = (error: unknown): boolean =>
  error instanceof Error && error.constructor.name === 'RegistrationRejectedError';

/** Uses only texts of the host, since answers of an authorization server may contain secrets. */
export function reasonOf(error: unknown): HostText {
  if (!(error instanceof Error)) return msg('mcp.signInUnexpected');
  const { cause } = error;
  if (error instanceof TypeError && cause instanceof Error)
    return cause instanceof HostError ? cause.text : cause.message;
  return error instanceof HostError ? error.text : textOfAnswer(error);
}

function textOfAnswer(error: Error): Message {
  const mapped = textByErrorName[error.constructor.name];
  if (mapped !== undefined) return mapped;
  const status = 'status' in error && typeof error.status === 'number' ? error.status : null;
  if (isRegistrationRefused(error))
    return msg('mcp.signInClientRefused', { status: String(status ?? 400) });
  if (error.message.startsWith('Protected resource ')) return msg('mcp.signInOtherResource');
  const code = errorCodeOf(error);
  if (code !== null) return msg('mcp.signInAnswered', { error: code });
  return msg('mcp.signInAnsweredUnclear');
}

/** The code of an OAuth error; null for other errors. */
export function errorCodeOf(error: unknown): string | null {
  if (!(error instanceof Error) || error.constructor.name !== 'OAuthError') return null;
  return 'code' in error ? safeCode(error.code) : null;
}

/** Valid codes are short and plain. */
export const safeCode = (code: unknown): string | null =>
  typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : null;
