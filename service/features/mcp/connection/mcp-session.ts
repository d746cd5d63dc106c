import type { CallToolResult, Client, Transport } from '@modelcontextprotocol/client';
import { orAborted } from '../../../core/or-aborted.ts';
import { Sampler, type SamplingPorts } from '../sampling/sampler.ts';
import { CallClock } from './call-clock.ts';
import { type ClientListener, newClient } from './new-client.ts';
import { type Ask, type Question, Questions } from './questions.ts';
import { isLate, isStreamEnd, isSessionLost, messageOf } from './session-errors.ts';
import { skippedText, SessionLists } from './session-lists.ts';
import { SessionWatch, type WatchLimits, watchLimits } from './session-watch.ts';
import { StdioTransport } from './stdio-transport.ts';
import { tidyLists } from './tidy-lists.ts';
import { watchStreams } from './watch-streams.ts';
import { type HostText, msg, textOf } from '../../../messages/index.ts';
import type { EndReasonTransport } from './end-reason-transport.ts';

/** Generation of the protocol: `modern` is MCP 2026-07-28, `legacy` everything before. */
export type Era = 'legacy' | 'modern';
/** The outcome of a tool call; `cancelled` by the host or its caller. */
export type CallOutcome = 'success' | 'failure' | 'cancelled';

/** Time limits of a session, in milliseconds. */
export interface SessionLimits extends WatchLimits {
  /** Time limit of a ping. */
  pingMs: number;
  /** Interval of pings while no call waits. */
  idlePingMs: number;
}

/** Options and callbacks of a session. */
export interface SessionOptions extends ClientListener {
  /** Creates a transport for each attempt. */
  transport: () => Promise<Transport>;
  /**
   * Protocol generation of the previous session, which saves the negotiation; null if it is
   * unknown.
   */
  era: Era | null;
  signal: AbortSignal;
  /** Absent: sampling is not offered to the server. */
  sampling?: SamplingPorts | undefined;
  limits: SessionLimits;
  /** Called with the outcome of each tool call. */
  onCall: (outcome: CallOutcome) => void;
}

/** Options of one tool call. */
export interface CallOptions {
  signal: AbortSignal;
  /** Time while the server waits for the host does not count. */
  timeoutMs: number;
  onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
  /** Asks the user; absent: questions are declined. */
  ask?: Ask;
}

export const sessionLimits: SessionLimits = {
  ...watchLimits,
  pingMs: 10_000,
  idlePingMs: 30_000,
};
const connectLimitMs = 60_000;
/** Longest timer; the clock of the call ends it earlier. */
const noLimitMs = 2 ** 31 - 1;

/** A connection to a server, from its handshake to its end. */
export class McpSession {
  readonly client: Client;
  readonly lists: SessionLists;
  readonly offersSampling: boolean;
  private readonly questions = new Questions();
  private readonly transport: EndReasonTransport;
  private readonly watch: SessionWatch | null;
  private readonly limits: SessionLimits;
  private readonly onCall: SessionOptions['onCall'];
  private readonly idlers: (() => void)[] = [];
  private running = 0;
  private lostBecause: HostText | null = null;

  private constructor(client: Client, transport: Transport, options: SessionOptions) {
    this.client = client;
    this.transport = transport;
    this.lists = new SessionLists(client);
    this.limits = options.limits;
    this.onCall = options.onCall;
    this.offersSampling = options.sampling !== undefined;
    // The end of a process is visible without a watch.
    const isRemote = !(transport instanceof StdioTransport);
    const watched = { ask: () => this.isThere(), onSilent: () => this.silent() };
    this.watch = isRemote ? new SessionWatch(watched, this.limits) : null;
  }

  /** Connects and lists the tools. Rejects with the original error, after everything was closed. */
  static async open(options: SessionOptions): Promise<McpSession> {
    try {
      return await McpSession.attempt(options, options.era);
    } catch (error) {
      // Some old servers exit at the first unknown method.
      if (options.era !== null || options.signal.aborted || !mayBeOld(error)) throw error;
      return McpSession.attempt(options, 'legacy');
    }
  }

  private static async attempt(options: SessionOptions, era: Era | null): Promise<McpSession> {
    const { signal, sampling } = options;
    const transport = await options.transport();
    const client = await newClient(transport, options, sampling !== undefined);
    const session = new McpSession(client, transport, options);
    session.answer(options);
    const over = AbortSignal.any([signal, AbortSignal.timeout(connectLimitMs)]);
    const prior = era === 'legacy' ? { prior: { kind: 'legacy' } as const } : {};
    try {
      await orAborted(
        client.connect(transport, { timeout: connectLimitMs, signal: over, ...prior }),
        over,
      );
      await session.follow(options);
      await session.lists.listTools(signal);
      return session;
    } catch (error) {
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
      throw error;
    }
  }

  /** Why the session ended; null while it is open or if the reason is unknown. */
  get endReason(): HostText | null {
    return this.lostBecause ?? this.transport.endReason ?? null;
  }

  /** Registers the requests that the server may make. */
  private answer({ sampling, onLog }: SessionOptions): void {
    const { client, questions } = this;
    client.setRequestHandler('elicitation/create', ({ params }) =>
      questions.ask(questionIn(params)),
    );
    if (!sampling) return;
    const sampler = new Sampler(sampling, questions, onLog);
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
      sampler.answer(params, mcpReq.signal),
    );
  }

  private async follow({ onLog }: SessionOptions): Promise<void> {
    const { transport, watch } = this;
    await tidyLists(transport, {
      sendsHeaders: this.era === 'modern' && watch !== null,
      onSkipped: (method, skipped) => {
        onLog('WARN', textOf(skippedText(method, skipped)));
        this.lists.recordSkipped(method, skipped);
      },
    });
    if (!watch) return;
    if (transport.hasPerRequestStream === true) watchStreams(transport);
    const receive = transport.onmessage;
    transport.onmessage = (message, extra) => {
      watch.recordActivity();
      receive?.(message, extra);
    };
    this.client.onerror = (error) => {
      if (isStreamEnd(error)) this.lose(msg('mcp.eventStreamEnded'));
      else watch.probe();
    };
  }

  /** Rejects if the server is gone; a busy server may answer late. */
  async ping(): Promise<void> {
    const limit = { timeout: this.limits.pingMs };
    await (this.era === 'legacy' ? this.client.ping(limit) : this.client.discover(limit));
  }

  private async isThere(): Promise<boolean> {
    try {
      await this.ping();
    } catch (error) {
      if (isSessionLost(error)) this.lose(msg('mcp.noLongerAnswers', { reason: messageOf(error) }));
      return !isLate(error);
    }
    return true;
  }

  private silent(): void {
    const seconds = Math.round(this.limits.silentMs / 1_000);
    // Some servers do nothing else while they wait for an answer.
    if (this.questions.hasPending) this.watch?.recordActivity();
    else this.lose(msg('mcp.silent', { seconds }));
  }

  private lose(why: HostText): void {
    if (this.lostBecause !== null) return;
    this.lostBecause = why;
    void this.close().catch(() => undefined);
  }

  get era(): Era {
    return this.client.getDiscoverResult() === undefined ? 'legacy' : 'modern';
  }

  get serverInfo(): { name: string; version: string } | undefined {
    const implementation = this.client.getServerVersion();
    return implementation && { name: implementation.name, version: implementation.version };
  }

  get protocolVersion(): string | undefined {
    return this.client.getNegotiatedProtocolVersion();
  }

  /** Calls a tool. Rejects with protocol errors; a failed tool is a result with `isError`. */
  async call(
    tool: string,
    args: Record<string, unknown>,
    { signal, timeoutMs, onProgress, ask }: CallOptions,
  ): Promise<CallToolResult> {
    const clock = new CallClock(timeoutMs);
    const done = this.questions.during({ ask, clock });
    const toolDefinition = this.lists.tools.find(({ name }) => name === tool);
    const options = {
      signal: AbortSignal.any([signal, clock.signal]),
      timeout: noLimitMs,
      ...(onProgress ? { onprogress: onProgress } : {}),
      ...(toolDefinition ? { toolDefinition } : {}),
    };
    let outcome: CallOutcome = 'failure';
    try {
      const result = await this.using(() =>
        this.client.callTool({ name: tool, arguments: args }, options),
      );
      if (result.isError !== true) outcome = 'success';
      return result;
    } finally {
      this.onCall(outcome === 'failure' && signal.aborted ? 'cancelled' : outcome);
      done();
      clock.stop();
    }
  }

  get isBusy(): boolean {
    return this.running > 0;
  }

  /** Resolves when no call waits for the server. */
  idle(): Promise<void> {
    if (!this.isBusy) return Promise.resolve();
    return new Promise((resolve) => this.idlers.push(resolve));
  }

  /** Runs a request; rejects early if the session ends meanwhile. */
  async using<T>(work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await (this.watch ? this.watch.during(work()) : work());
    } finally {
      this.running -= 1;
      if (!this.isBusy) for (const settle of this.idlers.splice(0)) settle();
    }
  }

  close(): Promise<void> {
    this.watch?.stop();
    return this.client.close();
  }
}

/** True if the server exited, or answered unexpectedly, when asked for its version. */
function mayBeOld(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'CONNECTION_CLOSED' || code === 'ERA_NEGOTIATION_FAILED';
}

/** Reads a question with limited texts. */
function questionIn(params: unknown): Question {
  const { message, requestedSchema, mode } = params as Question;
  return {
    message,
    ...(requestedSchema === undefined ? {} : { requestedSchema }),
    ...(mode === undefined ? {} : { mode }),
  };
}
