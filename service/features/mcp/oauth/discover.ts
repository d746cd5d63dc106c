import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { addressOf } from '../definitions/server-address.ts';
import type { McpServer } from '../definitions/server.ts';
import { oauthFetch } from './oauth-fetch.ts';
import { noSignInOffered, reasonOf, signInFailed } from './sign-in-errors.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';

/** The contents of a server's `WWW-Authenticate` header. */
export interface Challenge {
  resourceMetadataUrl?: URL;
  scope?: string;
  /** True if the granted scopes were not sufficient. */
  isForMore?: boolean;
}

/** The authorization server of an MCP server, with its metadata. */
export interface Discovered extends OAuthDiscoveryState {
  authorizationServerMetadata: AuthorizationServerMetadata;
}

/** A server at an address, which can require a sign-in. */
export type Remote = McpServer & { transport: 'SSE' | 'STREAMABLE_HTTP' };

export const isRemote = (server: McpServer): server is Remote => server.transport !== 'STDIO';

/** The `fetch` for the sign-in of a server. */
export const fetchOf = (server: Remote, allow: readonly string[]): FetchLike =>
  oauthFetch(addressOf(server), server.headers, allow);

/**
 * Finds the authorization server of a server.
 * @throws HostError `no_sign_in_offered`, `sign_in_failed`
 */
export async function discover(
  server: Remote,
  { resourceMetadataUrl }: Challenge,
  fetchFn: FetchLike,
): Promise<Discovered> {
  const { discoverOAuthServerInfo } = await import('@modelcontextprotocol/client');
  const hint = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
  const info = await discoverOAuthServerInfo(addressOf(server), { ...hint, fetchFn }).catch(
    (error: unknown) => {
      throw failed(server, reasonOf(error), error);
    },
  );
  const { authorizationServerMetadata: metadata } = info;
  if (!metadata) throw noSignInOffered(server.name);
  const found = { ...info, authorizationServerMetadata: metadata };
  return resourceMetadataUrl === undefined
    ? found
    : { ...found, resourceMetadataUrl: resourceMetadataUrl.href };
}

/**
 * Checks the requirements of a safe sign-in; `redirectUrl` is the address to register.
 * @throws HostError `sign_in_failed` if the authorization server lacks one of them, or accepts no
 * client of this host
 */
export function checkSafe(
  server: Remote,
  metadata: AuthorizationServerMetadata,
  redirectUrl: string,
): void {
  const { code_challenge_methods_supported: challenges, registration_endpoint } = metadata;
  if (challenges?.includes('S256') !== true) throw failed(server, msg('mcp.signInWithoutPkce'));
  const { authorization_endpoint, token_endpoint } = metadata;
  const endpoints = [authorization_endpoint, token_endpoint];
  if (!isClientKnown(server, metadata)) {
    if (registration_endpoint === undefined)
      throw failed(server, knownClientsOnly(redirectUrl, metadata));
    endpoints.push(registration_endpoint);
  }
  if (!endpoints.every(isSafe)) throw failed(server, msg('mcp.signInNotSafe'));
}

/** True if no client has to be registered. */
export const isClientKnown = (
  { oauth = {} }: Remote,
  metadata: AuthorizationServerMetadata,
): boolean =>
  oauth.clientId !== undefined ||
  (takesDocuments(metadata) && oauth.clientMetadataUrl !== undefined);

/**
 * True if the authorization server accepts the address of a client metadata document as a client
 * id.
 */
export const takesDocuments = (metadata: AuthorizationServerMetadata): boolean =>
  metadata.client_id_metadata_document_supported === true;

function knownClientsOnly(address: string, metadata: AuthorizationServerMetadata): Message {
  const { port } = new URL(address);
  return takesDocuments(metadata)
    ? msg('mcp.signInKnownClientsOrDocument', { address, port })
    : msg('mcp.signInKnownClients', { address, port });
}

function isSafe(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  const isLoopback = /^(?:localhost|127\.0\.0\.1|\[::1\]|.*\.localhost)$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}

const failed = ({ name }: Remote, reason: HostText, cause?: unknown): Error =>
  signInFailed(msg('mcp.signInImpossible', { name, reason }), cause);
