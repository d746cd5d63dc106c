import type { FetchLike, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { HostError } from '../../../core/host-error.ts';
import type { SignIn } from './sign-in.ts';
import { errorCodeOf, reasonOf } from './sign-in-errors.ts';
import { msg } from '../../../messages/index.ts';

/** Errors of the server itself, which say nothing about the tokens. */
const temporaryErrors = new Set(['server_error', 'temporarily_unavailable', 'too_many_requests']);

/**
 * Renews expired tokens at the authorization server that issued them; null if they are refused
 * permanently.
 * @throws HostError `mcp_unavailable` if a later attempt may succeed
 */
export async function renewTokens(
  signIn: SignIn,
  serverName: string,
  fetchFn: FetchLike,
): Promise<StoredOAuthTokens | null> {
  const { tokens, client, authorizationServer, resource } = signIn;
  if (tokens?.refresh_token === undefined) return null;
  const { discoverAuthorizationServerMetadata, refreshAuthorization } =
    await import('@modelcontextprotocol/client');
  try {
    const metadata = await discoverAuthorizationServerMetadata(authorizationServer, { fetchFn });
    if (!metadata) throw new Error('There is no metadata.');
    const { issuer } = metadata;
    if (issuer !== tokens.issuer || issuer !== client.issuer) return null;
    const fresh = await refreshAuthorization(authorizationServer, {
      metadata,
      clientInformation: client,
      fetchFn,
      refreshToken: tokens.refresh_token,
      ...(resource === undefined ? {} : { resource }),
    });
    return { ...fresh, issuer };
  } catch (error) {
    const code = errorCodeOf(error);
    if (code !== null && !temporaryErrors.has(code)) return null;
    const text = msg('mcp.signInNotRenewed', { name: serverName, reason: reasonOf(error) });
    throw new HostError('unavailable', 'mcp_unavailable', text, { cause: error });
  }
}
