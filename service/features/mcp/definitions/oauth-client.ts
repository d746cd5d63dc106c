import type { McpOAuth, McpOAuthReplacement } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { redirectTargetOf } from '../oauth/redirect-target.ts';
import { type Message, msg } from '../../../messages/index.ts';

/**
 * Applies a change: undefined keeps a value, null removes it; the secret is kept only for the same
 * client.
 */
export function mergedOAuth(
  existing: McpOAuth | undefined,
  replacement: McpOAuthReplacement | null | undefined,
): McpOAuth | undefined {
  if (replacement === undefined) return existing;
  if (replacement === null) return undefined;
  const { clientSecret, ...rest } = replacement;
  const old = rest.clientId === existing?.clientId ? existing?.clientSecret : undefined;
  const secret = clientSecret ? clientSecret : old;
  return secret === undefined ? rest : { ...rest, clientSecret: secret };
}

/** True if a sign-in with one client is valid for the other. */
export const isSameClient = (one: McpOAuth = {}, other: McpOAuth = {}): boolean =>
  one.clientId === other.clientId &&
  one.clientSecret === other.clientSecret &&
  one.clientMetadataUrl === other.clientMetadataUrl;

/** @throws HostError 400 `invalid_server` */
export function checkOAuth(oauth: McpOAuth | undefined): void {
  if (oauth === undefined) return;
  const { clientId, clientSecret, callbackPort, redirectUri = '' } = oauth;
  if (clientSecret !== undefined && clientId === undefined)
    throw invalid(msg('mcp.secretWithoutClient'));
  const { port } = redirectTargetOf({ redirectUri });
  if (port > 0 && callbackPort !== undefined && port !== callbackPort)
    throw invalid(msg('mcp.portBetweenAddresses'));
}

const invalid = (text: Message): HostError => new HostError('invalid', 'invalid_server', text);
