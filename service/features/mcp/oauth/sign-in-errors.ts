import { HostError } from '../../../core/host-error.ts';

/** The person has to sign in before the server can be used. */
export const signInNeeded = (message: string): HostError =>
  new HostError('unavailable', 'mcp_needs_auth', message);

export const signInFailed = (message: string, cause?: unknown): HostError =>
  new HostError('upstream-failed', 'sign_in_failed', message, { cause });

export const noSignInOffered = (name: string): HostError =>
  new HostError('conflict', 'no_sign_in_offered', noSignInMessage(name));

export const portTaken = (name: string, port: number): HostError =>
  new HostError(
    'conflict',
    'callback_port_taken',
    `Port ${port} of this machine is not free, so nobody could come back from a sign-in at the MCP server ${name}. End the program that listens there and begin again, or register another redirect address and enter its port.`,
  );

export const noSignInMessage = (name: string): string =>
  `The MCP server ${name} refuses access, and names no authorization server where you could sign in. If it takes a key, put it into the headers.`;

export const isCode = (error: unknown, code: string): boolean =>
  error instanceof HostError && error.code === code;

const messageByErrorName: Record<string, string> = {
  IssuerMismatchError: 'its answer names another issuer than the one that was asked',
  AuthorizationServerMismatchError: 'its answer names another issuer than the one that was asked',
  InsecureTokenEndpointError: 'it does not use https',
};

export const isRegistrationRefused = (error: unknown): boolean =>
  error instanceof Error && error.constructor.name === 'RegistrationRejectedError';

/** In words of ours alone: what an authorization server answers may hold secrets. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something unexpected happened';
  if (error instanceof TypeError && error.cause instanceof Error) return error.cause.message;
  if (error instanceof HostError) return error.message;
  const mapped = messageByErrorName[error.constructor.name];
  if (mapped !== undefined) return mapped;
  const status = 'status' in error && typeof error.status === 'number' ? error.status : null;
  if (isRegistrationRefused(error))
    return `it did not take this host as a client (HTTP ${status ?? 400})`;
  if (error.message.startsWith('Protected resource ')) return 'its metadata are of another server';
  const code = errorCodeOf(error);
  if (code !== null) return `it answered ${code}`;
  return 'it answered something that is not understood';
}

/** The word of an OAuth error, where it is one. */
export function errorCodeOf(error: unknown): string | null {
  if (!(error instanceof Error) || error.constructor.name !== 'OAuthError') return null;
  return 'code' in error ? safeCode(error.code) : null;
}

/** Such words are short and plain. */
export const safeCode = (code: unknown): string | null =>
  typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : null;
