import { randomBytes } from 'node:crypto';
import type {
  FetchLike,
  OAuthClientMetadata,
  OAuthClientProvider,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import { addressKeyOf, addressOf } from '../definitions/server-address.ts';
import {
  checkSafe,
  type Challenge,
  type Discovered,
  isClientKnown,
  type Remote,
  takesDocuments,
} from './discover.ts';
import type { SignIn } from './sign-in.ts';
import { isRegistrationRefused, reasonOf, signInFailed } from './sign-in-errors.ts';
import { type Message, msg } from '../../../messages/index.ts';

interface FlowOptions {
  server: Remote;
  discovered: Discovered;
  challenge: Challenge;
  redirectUrl: string;
  state: string;
  fetchFn: FetchLike;
}

/** A random value of 256 bits that ties a redirect to its sign-in. */
export const newState = (): string => randomBytes(32).toString('base64url');

/** One sign-in in progress; its state is kept in memory only. */
export class SignInFlow implements OAuthClientProvider {
  readonly redirectUrl: string;
  private readonly options: FlowOptions;
  private client: StoredOAuthClientInformation | undefined;
  private resource: string | undefined;
  private verifier = '';
  private authorizationUrl: URL | null = null;

  constructor(options: FlowOptions) {
    this.options = options;
    this.redirectUrl = options.redirectUrl;
  }

  /**
   * Registers this host if it is not a client yet, and returns the address at which the user signs
   * in.
   * @throws HostError `sign_in_failed`
   */
  async start(): Promise<string> {
    const { server, discovered, fetchFn } = this.options;
    const metadata = discovered.authorizationServerMetadata;
    checkSafe(server, metadata, this.redirectUrl);
    const { auth } = await import('@modelcontextprotocol/client');
    const scope = await this.scope();
    try {
      const scopeOption = scope === undefined ? {} : { scope };
      await auth(this, { serverUrl: addressOf(server), ...scopeOption, fetchFn });
    } catch (error) {
      throw signInFailed(this.notStarted(error), error);
    }
    return this.authorizationUrl?.href ?? '';
  }

  private notStarted(error: unknown): Message {
    const { name } = this.options.server;
    const reason = reasonOf(error);
    if (!isRegistrationRefused(error)) return msg('mcp.signInNotStarted', { name, reason });
    const address = this.redirectUrl;
    const { port } = new URL(address);
    return takesDocuments(this.options.discovered.authorizationServerMetadata)
      ? msg('mcp.signInNotStartedRegisterOrDocument', { name, reason, address, port })
      : msg('mcp.signInNotStartedRegister', { name, reason, address, port });
  }

  /**
   * Scopes in the definition replace those that the server requests, but not those that a call
   * lacked.
   */
  private async scope(): Promise<string | undefined> {
    const { server, challenge } = this.options;
    const own = server.oauth?.scopes ?? [];
    if (own.length === 0) return challenge.scope;
    const { computeScopeUnion } = await import('@modelcontextprotocol/client');
    return computeScopeUnion(own.join(' '), challenge.isForMore ? challenge.scope : undefined);
  }

  /** True if the redirect address must be registered manually, since it could not be announced. */
  get needsRegistered(): boolean {
    const { server, discovered } = this.options;
    return isClientKnown(server, discovered.authorizationServerMetadata);
  }

  /** Exchanges the parameters of the redirect for tokens. Rejects with the original error. */
  async finish(returned: URLSearchParams): Promise<SignIn> {
    const { server, discovered, fetchFn } = this.options;
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = discovered;
    const { fetchToken } = await import('@modelcontextprotocol/client');
    const iss = returned.get('iss');
    const tokens = await fetchToken(this, authorizationServerUrl, {
      metadata,
      fetchFn,
      authorizationCode: returned.get('code') ?? '',
      ...(iss === null ? {} : { iss }),
      ...(this.resource === undefined ? {} : { resource: this.resource }),
    });
    const { issuer } = metadata;
    return {
      address: addressKeyOf(server) ?? '',
      authorizationServer: authorizationServerUrl,
      ...(this.resource === undefined ? {} : { resource: this.resource }),
      client: { ...this.requireClient(), issuer },
      tokens: { ...tokens, issuer },
    };
  }

  get clientMetadata(): OAuthClientMetadata {
    const methods =
      this.options.discovered.authorizationServerMetadata.token_endpoint_auth_methods_supported;
    const method = ['none', 'client_secret_post', 'client_secret_basic'].find(
      (one) => methods?.includes(one) ?? true,
    );
    return {
      client_name: 'Plugin Host',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
    };
  }

  state(): string {
    return this.options.state;
  }

  /** Used by the SDK if the authorization server supports such documents. */
  get clientMetadataUrl(): string | undefined {
    return this.options.server.oauth?.clientMetadataUrl;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret } = this.options.server.oauth ?? {};
    if (this.client || clientId === undefined) return this.client;
    const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
    const { issuer } = this.options.discovered.authorizationServerMetadata;
    return { client_id: clientId, ...secret, issuer };
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.client = client;
  }

  /** Earlier tokens are not used for a new sign-in. */
  tokens(): undefined {
    return undefined;
  }

  saveTokens(): void {
    // Returned by `finish`.
  }

  discoveryState(): Discovered {
    return this.options.discovered;
  }

  saveDiscoveryState(): void {
    // The result of the first discovery is used to the end.
  }

  saveResourceUrl(resource: string): void {
    this.resource = resource;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  private requireClient(): StoredOAuthClientInformation {
    const client = this.clientInformation();
    if (client) return client;
    throw new Error('The sign-in was not begun.');
  }
}
