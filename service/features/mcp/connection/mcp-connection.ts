import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Tool } from '@modelcontextprotocol/client';
import type { McpState } from '../../../contract/index.ts';
import { EventLog } from '../../../core/event-log.ts';
import { HostError } from '../../../core/host-error.ts';
import type { McpServer } from '../definitions/server.ts';
import type { SamplingPorts } from '../sampling/sampler.ts';
import { createRedactor } from './create-redactor.ts';
import { keepListening } from './keep-listening.ts';
import {
  type CallOutcome,
  type Era,
  McpSession,
  type SessionLimits,
  sessionLimits,
} from './mcp-session.ts';
import { connectionLost, serverDisabled, toHostError, wantsSignIn } from './session-errors.ts';
import type { StartLimiter } from './start-limiter.ts';
import { type HostText, mapStrings, msg, textOf } from '../../../messages/index.ts';
import type { EndReasonTransport } from './end-reason-transport.ts';

/** Dependencies of a connection, and callbacks for its changes. */
export interface ConnectionPorts {
  startLimiter: StartLimiter;
  /**
   * Creates a transport for each attempt; `log` receives output of the server outside of the
   * protocol.
   */
  transport: (
    server: McpServer,
    log: (level: string, message: string) => void,
  ) => Promise<EndReasonTransport>;
  /** Absent: the server may not sample the model. */
  sampling?: SamplingPorts;
  limits?: SessionLimits;
  onCall?: (server: string, outcome: CallOutcome) => void;
  onChanged?: () => void;
  /**
   * Called with the name of a server and the reason of a failure, once for consecutive equal
   * reasons.
   */
  onFailed?: (server: string, message: string) => void;
}

const firstRetryMs = 500;
const longestRetryMs = 60_000;
/** A connection that lasted this long was healthy. */
const steadyMs = 10_000;
/** Attempts for a program that never worked; then it is started only on request. */
const triesOfNew = 5;
const relistMs = 200;

/** Keeps one server connected: connects in the background, and reconnects after a loss. */
export class McpConnection {
  readonly server: McpServer;
  readonly log = new EventLog();
  state: McpState;
  error: HostText | null = null;
  /** The tools of the last session while the server is disconnected. */
  tools: readonly Tool[] = [];
  lastConnectedAt: string | null = null;
  session: McpSession | null = null;
  private readonly ports: ConnectionPorts;
  private readonly redact: (text: string) => string;
  private readonly closing = new AbortController();
  private opening: Promise<McpSession> | null = null;
  private retry: NodeJS.Timeout | undefined;
  private ping: NodeJS.Timeout | undefined;
  private failures = 0;
  private reported: string | null = null;
  private era: Era | null = null;
  private transport: EndReasonTransport | null = null;

  constructor(server: McpServer, ports: ConnectionPorts) {
    this.server = server;
    this.ports = ports;
    this.redact = createRedactor(server);
    this.state = server.enabled ? 'CONNECTING' : 'DISABLED';
  }

  /** Connects in the background. */
  start(): void {
    if (this.server.enabled) this.open().catch(() => undefined);
  }

  /**
   * Returns the session, waiting up to `limitMs` for a disconnected server.
   * @throws HostError `mcp_disabled`, `mcp_unavailable`, `mcp_failed`
   */
  async ready(limitMs: number): Promise<McpSession> {
    if (!this.server.enabled) throw serverDisabled(this.server.name);
    if (this.session) return this.session;
    const opening = this.open();
    const over = new AbortController();
    const late = delay(limitMs, null, { signal: over.signal }).catch(() => null);
    try {
      const session = await Promise.race([opening, late]);
      if (session) return session;
      throw new HostError('unavailable', 'mcp_unavailable', this.notConnected());
    } finally {
      over.abort();
      opening.catch(() => undefined);
    }
  }

  /** Waits for the result of the first attempt, at most `limitMs`. */
  async settled(limitMs: number): Promise<void> {
    if (!this.opening) return;
    await Promise.race([this.opening.catch(() => undefined), delay(limitMs, null, { ref: false })]);
  }

  /** Disconnects and connects again; the result is in `state`. @throws HostError `mcp_disabled` */
  async reconnect(): Promise<void> {
    if (!this.server.enabled) throw serverDisabled(this.server.name);
    await this.drop();
    await this.open().catch(() => undefined);
  }

  /** Reconnects when no call runs, if the host's offer of sampling has changed. */
  async renew(): Promise<void> {
    const { session } = this;
    if (!session) return;
    do {
      await session.idle();
      // A caller that received the session just now uses it first.
      await turn();
      if (this.session !== session || session.offersSampling === (this.sampling !== undefined))
        return;
    } while (session.isBusy);
    await this.reconnect();
  }

  /** Disconnects the server until the user has signed in. */
  requireSignIn(text: HostText): void {
    if (this.session) void this.drop();
    else if (this.state !== 'NEEDS_AUTH') return;
    this.addLog('WARN', textOf(text));
    this.become('NEEDS_AUTH', text);
  }

  private notConnected(): HostText {
    const { name } = this.server;
    return this.error === null
      ? msg('mcp.notConnected', { name })
      : msg('mcp.notConnectedBecause', { name, reason: this.error });
  }

  private open(): Promise<McpSession> {
    this.opening ??= this.attempt().finally(() => (this.opening = null));
    return this.opening;
  }

  private async attempt(): Promise<McpSession> {
    clearTimeout(this.retry);
    if (this.state !== 'DEGRADED') this.become('CONNECTING');
    try {
      const session = await this.ports.startLimiter.run(() => this.connect());
      this.connected(session);
      return session;
    } catch (error) {
      const hostError = this.toHostError(error, this.transport?.endReason ?? null);
      this.failed(hostError, wantsSignIn(error));
      throw hostError;
    }
  }

  private async connect(): Promise<McpSession> {
    this.closing.signal.throwIfAborted();
    return McpSession.open({
      transport: async () => (this.transport = await this.newTransport()),
      era: this.era,
      signal: this.closing.signal,
      sampling: this.sampling,
      limits: this.limits,
      onCall: (outcome) => this.ports.onCall?.(this.server.name, outcome),
      onToolsChanged: () => this.relistSoon(),
      onLog: (level, message) => this.addLog(level.toUpperCase(), message),
    });
  }

  private get limits(): SessionLimits {
    return this.ports.limits ?? sessionLimits;
  }

  private get sampling(): SamplingPorts | undefined {
    const { sampling } = this.ports;
    return sampling?.isOn() ? sampling : undefined;
  }

  private newTransport(): Promise<EndReasonTransport> {
    return this.ports.transport(this.server, (level, message) => this.addLog(level, message));
  }

  private connected(session: McpSession): void {
    this.session = session;
    this.era = session.era;
    this.tools = session.lists.tools;
    this.lastConnectedAt = new Date().toISOString();
    this.reported = null;
    const since = performance.now();
    session.client.onclose = () => {
      if (this.session !== session) return;
      if (performance.now() - since > steadyMs) this.failures = 0;
      this.lost(session.endReason);
    };
    if (this.closing.signal.aborted) void session.close();
    this.become('CONNECTED', this.missing(session));
    this.addLog('INFO', `Connected, with ${session.lists.tools.length} tools.`);
    this.pingLater();
    void keepListening(session.client, this.closing.signal, () => this.relistSoon());
    void this.renew();
  }

  private lost(reason: HostText | null): void {
    this.session = null;
    clearTimeout(this.ping);
    if (this.closing.signal.aborted) return;
    const text = connectionLost(this.server.name, reason);
    this.addLog('WARN', textOf(text));
    this.report(text);
    this.become(
      'DEGRADED',
      reason === null
        ? msg('mcp.lostReconnectingUnknown')
        : msg('mcp.lostReconnecting', { reason }),
    );
    this.retryLater();
  }

  private failed(hostError: HostError, needsSignIn: boolean): void {
    if (this.closing.signal.aborted) return;
    const { text } = hostError;
    this.addLog('WARN', textOf(text));
    this.report(text);
    if (needsSignIn) return this.become('NEEDS_AUTH', text);
    this.become(this.tools.length > 0 ? 'DEGRADED' : 'FAILED', text);
    this.retryLater();
  }

  /** Reports a failure unless it repeats the previous one. */
  private report(text: HostText): void {
    const message = textOf(text);
    if (message === this.reported) return;
    this.reported = message;
    this.ports.onFailed?.(this.server.name, this.redact(message));
  }

  private retryLater(): void {
    const wait = Math.min(firstRetryMs * 2 ** this.failures, longestRetryMs);
    this.failures += 1;
    const isNew = this.lastConnectedAt === null && this.server.transport === 'STDIO';
    if (isNew && this.failures > triesOfNew) return;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.open().catch(() => undefined), wait).unref();
  }

  private pingLater(): void {
    clearTimeout(this.ping);
    this.ping = setTimeout(() => void this.pingNow(), this.limits.idlePingMs).unref();
  }

  private async pingNow(): Promise<void> {
    const { session } = this;
    if (!session) return;
    // A server that is running a call may answer late; its caller has its own time limit.
    if (session.isBusy) return this.pingLater();
    try {
      await session.ping();
      this.pingLater();
    } catch {
      if (this.session !== session) return;
      if (session.isBusy) return this.pingLater();
      this.addLog('WARN', 'It did not answer a ping.');
      await this.drop();
      this.lost(msg('mcp.noPingAnswer'));
    }
  }

  private relist: NodeJS.Timeout | undefined;

  /** Coalesces announcements: the tools are listed once at a time. */
  private relistSoon(): void {
    this.relist ??= setTimeout(() => {
      void this.relistNow().finally(() => (this.relist = undefined));
    }, relistMs).unref();
  }

  private async relistNow(): Promise<void> {
    const { session } = this;
    await session?.lists.listTools(this.closing.signal).catch(() => undefined);
    if (!session || this.session !== session) return;
    this.tools = session.lists.tools;
    this.become('CONNECTED', this.missing(session));
  }

  private async drop(): Promise<void> {
    clearTimeout(this.retry);
    clearTimeout(this.ping);
    clearTimeout(this.relist);
    this.relist = undefined;
    const { session } = this;
    this.session = null;
    await session?.close().catch(() => undefined);
  }

  /** An error of the server without its credentials. */
  toHostError(error: unknown, endReason: HostText | null): HostError {
    const { kind, code, text, rpcCode, details } = toHostError(error, this.server.name, endReason);
    return new HostError(kind, code, mapStrings(text, this.redact), {
      ...(rpcCode === undefined ? {} : { rpcCode }),
      ...(details === undefined ? {} : { details: this.redact(details) }),
    });
  }

  private missing({ lists }: McpSession): HostText | null {
    return lists.missing === null ? null : mapStrings(lists.missing, this.redact);
  }

  private become(state: McpState, error: HostText | null = null): void {
    this.state = state;
    this.error = error;
    this.ports.onChanged?.();
  }

  private addLog(level: string, message: string): void {
    this.log.add({ level, logger: null, thread: null, message: this.redact(message) });
  }

  async close(): Promise<void> {
    this.closing.abort(new HostError('unavailable', 'mcp_closed', msg('mcp.connectionClosed')));
    await this.drop();
    await this.opening?.catch(() => undefined);
  }
}
