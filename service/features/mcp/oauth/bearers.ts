import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client';
import { cappedFetch } from '../connection/capped-fetch.ts';
import type { McpServer } from '../definitions/server.ts';
import { type Challenge, discover, fetchOf, type Remote } from './discover.ts';
import { renewTokens } from './renew-tokens.ts';
import type { SignInRepository } from './sign-in-repository.ts';
import { isCode, noSignInText, signInNeeded } from './sign-in-errors.ts';
import type { SignIn } from './sign-in.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** Authentication for the requests of a transport. */
export interface Bearer {
  authProvider: AuthProvider;
  fetch: FetchLike;
}

interface Ports {
  repository: SignInRepository;
  /** Private addresses that public servers may send to. */
  allow: readonly string[];
  /** Called when the tokens of a server are no longer valid. */
  onLost: (server: McpServer, text: Message) => void;
}

type LogFunction = (level: string, message: string) => void;

/** Adds the tokens of sign-ins to requests, and renews them when a server refuses them. */
export class Bearers {
  private readonly ports: Ports;
  private readonly challenges = new Map<string, Challenge>();
  private readonly renewing = new Map<string, Promise<void>>();
  /** The authorization header of a refused request. */
  private readonly sentWith = new WeakMap<Response, string | null>();

  constructor(ports: Ports) {
    this.ports = ports;
  }

  of(server: Remote, log: LogFunction): Bearer {
    const { repository } = this.ports;
    return {
      authProvider: {
        token: async () => repository.of(server)?.tokens?.access_token,
        onUnauthorized: ({ response }) => this.refused(server, response, log),
      },
      fetch: async (url, init) => {
        const response = await cappedFetch(url, init);
        if (response.status === 401 || response.status === 403)
          await this.remember(server, response, new Headers(init?.headers).get('authorization'));
        return response;
      },
    };
  }

  /** The challenge in the server's last refusal; null if there was none. */
  challengeOf({ id }: McpServer): Challenge | null {
    return this.challenges.get(id) ?? null;
  }

  forget(id: string): void {
    this.challenges.delete(id);
  }

  private async remember(server: Remote, response: Response, sent: string | null): Promise<void> {
    const { extractWWWAuthenticateParams, computeScopeUnion } =
      await import('@modelcontextprotocol/client');
    const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
    if (response.status === 403 && error !== 'insufficient_scope') return;
    this.sentWith.set(response, sent);
    // Scopes granted before are requested again, otherwise they would be lost.
    const isForMore = response.status === 403;
    const granted = isForMore ? this.ports.repository.of(server)?.tokens?.scope : undefined;
    const scopeUnion = computeScopeUnion(granted, scope);
    this.challenges.set(server.id, {
      isForMore,
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      ...(scopeUnion === undefined ? {} : { scope: scopeUnion }),
    });
  }

  /**
   * Resolves if the request can be repeated.
   * @throws HostError `mcp_needs_auth`, `mcp_unavailable`
   */
  private async refused(server: Remote, response: Response, log: LogFunction): Promise<void> {
    const signIn = this.ports.repository.of(server);
    if (!signIn?.tokens) throw signInNeeded(await this.initialText(server));
    // Another request had the tokens renewed meanwhile.
    if (this.sentWith.get(response) !== `Bearer ${signIn.tokens.access_token}`) return;
    const renewing = this.renewing.get(server.id) ?? this.renew(server, signIn, log);
    this.renewing.set(server.id, renewing);
    await renewing.finally(() => this.renewing.delete(server.id));
  }

  private async renew(server: Remote, signIn: SignIn, log: LogFunction): Promise<void> {
    const { repository, allow, onLost } = this.ports;
    const tokens = await renewTokens(signIn, server.name, fetchOf(server, allow));
    const isStored = await repository.keep(server, { ...signIn, tokens });
    if (tokens && isStored) return log('INFO', 'The sign-in was renewed.');
    const text = msg('mcp.needsSignInAgain', { name: server.name });
    onLost(server, text);
    throw signInNeeded(text);
  }

  private async initialText(server: Remote): Promise<Message> {
    const challenge = this.challengeOf(server) ?? {};
    try {
      await discover(server, challenge, fetchOf(server, this.ports.allow));
    } catch (error) {
      // Any other failure is reported when the user tries to sign in.
      if (isCode(error, 'no_sign_in_offered')) return noSignInText(server.name);
    }
    return msg('mcp.needsSignIn', { name: server.name });
  }
}
