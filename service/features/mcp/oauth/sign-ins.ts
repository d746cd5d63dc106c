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

/** Time for the user to complete a sign-in. */
const defaultWaitMs = 10 * 60_000;

/** Receives the results of sign-ins. */
export interface SignInListener {
  /** The user has signed in, and there are tokens. */
  signedIn(id: string): void;
  /** There are no valid tokens, or a sign-in failed; `text` is the reason. */
  signInNeeded(id: string, text: Message): void;
}

/** Dependencies of sign-ins. */
export interface SignInPorts {
  stores: SignInStores;
  /** Private addresses that public servers may send to. */
  allow: readonly string[];
  listener: SignInListener;
  /** Default: 10 minutes. */
  waitsMs?: number;
}

interface PendingSignIn {
  name: string;
  redirect: RedirectListener;
  timer: NodeJS.Timeout;
}

/** Manages sign-ins at servers, one at a time per server, from the first page to the tokens. */
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
      // Deferred, so that the request that failed reports its own reason first.
      onLost: ({ id }, text) => void setImmediate(() => this.ports.listener.signInNeeded(id, text)),
    });
  }

  /** Authentication for the requests of a transport. */
  bearerOf(server: Remote, log: (level: string, message: string) => void): Bearer {
    return this.bearers.of(server, log);
  }

  /**
   * Returns the address at which the user signs in, and waits for their return in the background.
   * An earlier sign-in at the same server is cancelled.
   * @throws HostError `mcp_disabled`, `no_sign_in_needed`, `no_sign_in_offered`,
   * `callback_port_taken`, `sign_in_failed`
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
      this.onRedirect(remote, flow, redirect, returned),
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

  /** A new sign-in with the same port replaces the earlier one. */
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

  /** A client secret is only sent to the authorization server that received it before. */
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

  /** Cancels the pending sign-in of a server. */
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
    const { listener, waitsMs = defaultWaitMs } = this.ports;
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

  private onRedirect(
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
