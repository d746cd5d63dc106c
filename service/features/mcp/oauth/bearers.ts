import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client';
import { cappedFetch } from '../connection/capped-fetch.ts';
import type { McpServer } from '../definitions/server.ts';
import { type Challenge, discover, fetchOf, type Remote } from './discover.ts';
import { renewTokens } from './renew-tokens.ts';
import type { SignInRepository } from './sign-in-repository.ts';
import { isCode, noSignInText, signInNeeded } from './sign-in-errors.ts';
import type { SignIn } from './sign-in.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** What the transport of a server sends its requests with. */
export interface Bearer {
  authProvider: AuthProvider;
  fetch: FetchLike;
}

interface Ports {
  repository: SignInRepository;
  /** What servers of public networks may send to beside public addresses. */
  allow: readonly string[];
  /** The tokens of a server are of no use any more. */
  onLost: (server: McpServer, text: Message) => void;
}

type LogFunction = (level: string, message: string) => void;

/** The tokens of signed-in people, put into requests and renewed when a server refuses them. */
export class Bearers {
  private readonly ports: Ports;
  private readonly challenges = new Map<string, Challenge>();
  private readonly renewing = new Map<string, Promise<void>>();
  /** What a refused request was sent with. */
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

  /** What the server said when it refused the last request, if it ever did. */
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
    // What was granted before is asked for again, or it would be lost.
    const isForMore = response.status === 403;
    const granted = isForMore ? this.ports.repository.of(server)?.tokens?.scope : undefined;
    const scopeUnion = computeScopeUnion(granted, scope);
    this.challenges.set(server.id, {
      isForMore,
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      ...(scopeUnion === undefined ? {} : { scope: scopeUnion }),
    });
  }

  /** Resolves where the request may be tried again. @throws HostError `mcp_needs_auth`, `mcp_unavailable` */
  private async refused(server: Remote, response: Response, log: LogFunction): Promise<void> {
    const signIn = this.ports.repository.of(server);
    if (!signIn?.tokens) throw signInNeeded(await this.initialText(server));
    // Another request had them renewed while this one was on its way.
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
      // Any other failure is told when the person tries to sign in.
      if (isCode(error, 'no_sign_in_offered')) return noSignInText(server.name);
    }
    return msg('mcp.needsSignIn', { name: server.name });
  }
}
