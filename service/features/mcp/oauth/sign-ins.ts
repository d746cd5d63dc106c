import { HostError } from '../../../core/host-error.ts';
import type { McpServer } from '../definitions/server.ts';
import type { Page } from './answer-page.ts';
import { type Bearer, Bearers } from './bearers.ts';
import { discover, type Discovered, fetchOf, isRemote, type Remote } from './discover.ts';
import { type OnReturn, PortTaken, RedirectListener } from './redirect-listener.ts';
import { redirectTargetOf } from './redirect-target.ts';
import { SignInRepository, type SignInStores } from './sign-in-repository.ts';
import { errorCodeOf, portTaken, reasonOf, safeCode, signInFailed } from './sign-in-errors.ts';
import { newState, SignInFlow } from './sign-in-flow.ts';
import { type Message, msg } from '../../../messages/index.ts';
import { serverDisabled } from '../connection/session-errors.ts';

/** How long a person has to come back. */
const usualWaitMs = 10 * 60_000;

export interface SignInListener {
  /** The person came back, and there are tokens. */
  signedIn(id: string): void;
  /** There are none any more, or none came of it; in words for a person. */
  signInNeeded(id: string, text: Message): void;
}

export interface SignInPorts {
  stores: SignInStores;
  /** What servers of public networks may send to beside public addresses. */
  allow: readonly string[];
  listener: SignInListener;
  waitsMs?: number;
}

interface PendingSignIn {
  name: string;
  redirect: RedirectListener;
  timer: NodeJS.Timeout;
}

/** People signing in at servers: one at a time for each, from the first page to the tokens. */
export class SignIns {
  private readonly ports: SignInPorts;
  private readonly repository: SignInRepository;
  private readonly bearers: Bearers;
  private readonly pending = new Map<string, PendingSignIn>();
  private isClosed = false;

  constructor(ports: SignInPorts) {
    this.ports = ports;
    this.repository = new SignInRepository(ports.stores);
    this.bearers = new Bearers({
      repository: this.repository,
      allow: ports.allow,
      // A request that hears of it first tells its own reason.
      onLost: ({ id }, text) => void setImmediate(() => this.ports.listener.signInNeeded(id, text)),
    });
  }

  /** What a transport sends its requests with. */
  bearerOf(server: Remote, log: (level: string, message: string) => void): Bearer {
    return this.bearers.of(server, log);
  }

  /**
   * Where the person signs in; the host waits for them to come back. One that was begun before ends.
   * @throws HostError `mcp_disabled`, `no_sign_in_needed`, `no_sign_in_offered`, `callback_port_taken`,
   * `sign_in_failed`
   */
  async authorize(server: McpServer, isConnected: boolean): Promise<{ authorizationUrl: string }> {
    const remote = this.inNeed(server, isConnected);
    this.end(server.id);
    const challenge = this.bearers.challengeOf(server) ?? {};
    const fetchFn = fetchOf(remote, this.ports.allow);
    const discovered = await discover(remote, challenge, fetchFn);
    this.checkIssuer(remote, discovered);
    const state = newState();
    const redirect = await this.listen(remote, state, (returned) =>
      this.cameBack(remote, flow, redirect, returned),
    );
    const flow = new SignInFlow({
      server: remote,
      discovered,
      challenge,
      state,
      fetchFn,
      redirectUrl: redirect.url,
    });
    this.wait(remote, flow, redirect);
    try {
      const authorizationUrl = await flow.start();
      if (this.isClosed) throw new HostError('unavailable', 'mcp_closed', msg('host.closing'));
      return { authorizationUrl };
    } catch (error) {
      if (this.pending.get(remote.id)?.redirect === redirect) this.end(remote.id);
      throw error;
    }
  }

  /** A person who begins another sign-in with the same port has left the one before. */
  private async listen(
    server: Remote,
    state: string,
    onReturn: OnReturn,
  ): Promise<RedirectListener> {
    const { listener } = this.ports;
    const target = redirectTargetOf(server.oauth ?? {});
    for (const [id, { name, redirect }] of this.pending) {
      if (redirect.port !== target.port) continue;
      this.end(id);
      if (id === server.id) continue;
      listener.signInNeeded(id, msg('mcp.signInAnotherStarted', { name, other: server.name }));
    }
    try {
      return await RedirectListener.open(target, state, onReturn);
    } catch (error) {
      throw error instanceof PortTaken ? portTaken(server.name, target.port) : error;
    }
  }

  /** The secret of a client is for those alone whom it was given to before. */
  private checkIssuer(server: Remote, { authorizationServerMetadata }: Discovered): void {
    const { clientId, clientSecret } = server.oauth ?? {};
    const before = this.repository.of(server)?.client;
    if (clientSecret === undefined || before?.client_id !== clientId) return;
    const { issuer } = authorizationServerMetadata;
    if (before?.issuer === undefined || before.issuer === issuer) return;
    throw signInFailed(
      msg('mcp.authorizationServerChanged', { name: server.name, issuer, before: before.issuer }),
    );
  }

  /** Nobody is waited for any more. */
  end(id: string): void {
    const pendingSignIn = this.pending.get(id);
    if (!pendingSignIn) return;
    this.pending.delete(id);
    clearTimeout(pendingSignIn.timer);
    pendingSignIn.redirect.close();
  }

  close(): void {
    this.isClosed = true;
    for (const id of [...this.pending.keys()]) this.end(id);
  }

  private inNeed(server: McpServer, isConnected: boolean): Remote {
    const { name, enabled } = server;
    if (!enabled) throw serverDisabled(name);
    const wasRefused =
      this.bearers.challengeOf(server) !== null || this.repository.of(server) !== null;
    if (isRemote(server) && (wasRefused || !isConnected)) return server;
    throw new HostError('conflict', 'no_sign_in_needed', msg('mcp.noSignInNeeded', { name }));
  }

  private wait(server: Remote, flow: SignInFlow, redirect: RedirectListener): void {
    const { listener, waitsMs = usualWaitMs } = this.ports;
    this.end(server.id);
    const { id, name } = server;
    const timer = setTimeout(() => {
      this.end(id);
      listener.signInNeeded(
        id,
        flow.needsRegistered
          ? msg('mcp.signInNotInTimeRegister', { name, address: redirect.url })
          : msg('mcp.signInNotInTime', { name }),
      );
    }, waitsMs).unref();
    this.pending.set(id, { name, redirect, timer });
  }

  private cameBack(
    server: Remote,
    flow: SignInFlow,
    redirect: RedirectListener,
    returned: URLSearchParams,
  ): Promise<Page> {
    redirect.close();
    if (this.pending.get(server.id)?.redirect === redirect) this.end(server.id);
    return this.pageFor(server, flow, returned);
  }

  private async pageFor(
    server: Remote,
    flow: SignInFlow,
    returned: URLSearchParams,
  ): Promise<Page> {
    const { listener } = this.ports;
    const { name } = server;
    if (returned.get('code') === null) {
      const code = safeCode(returned.get('error'));
      const isDeclined = code === 'access_denied';
      const ended =
        code === null ? msg('mcp.signInEnded') : msg('mcp.signInEndedWith', { error: code });
      const reason = isDeclined ? msg('mcp.signInDeclined') : ended;
      listener.signInNeeded(server.id, msg('mcp.signInDidNotWork', { name, reason }));
      return isDeclined ? 'declined' : 'failed';
    }
    try {
      if (!(await this.repository.keep(server, await flow.finish(returned)))) return 'moved';
    } catch (error) {
      const isRefused = errorCodeOf(error) === 'invalid_client' && server.oauth !== undefined;
      const reason = reasonOf(error);
      listener.signInNeeded(
        server.id,
        isRefused
          ? msg('mcp.signInDidNotWorkClient', { name, reason })
          : msg('mcp.signInDidNotWork', { name, reason }),
      );
      return 'failed';
    }
    this.bearers.forget(server.id);
    listener.signedIn(server.id);
    return 'done';
  }
}
