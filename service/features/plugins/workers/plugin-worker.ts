import { setTimeout as delay } from 'node:timers/promises';
import type { LogLevel, PluginState } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import type { ProcessExit } from '../../../platform/processes.ts';
import type { WorkerConfig } from '../config/plugin-configs.ts';
import type { WorkerInspection } from '../inspect/inspection.ts';
import type { CallOptions } from './worker-channel.ts';
import type { WorkerPlugin } from './worker-command.ts';
import { couldNotStart, startWorkerProcess, type WorkerEnvironment } from './worker-environment.ts';
import { rpcCodes, WorkerError } from './worker-error.ts';
import type { EventLog } from '../../../core/event-log.ts';
import { WorkerSession } from './worker-session.ts';
import { type HostText, type Message, msg, textOf } from '../../../messages/index.ts';

export type { WorkerEnvironment } from './worker-environment.ts';
export { WorkerError } from './worker-error.ts';

const quarantineCrashes = 3;
const quarantineWindowMs = 60_000;
const cancelGraceMs = 500;
const stopGraceMs = 2_000;
const configLimitMs = 3_000;

/** States of a worker that lacks something it needs to start; any other failure is a crash. */
const unstarted: Partial<Record<WorkerError['kind'], PluginState>> = {
  'missing-runtime': 'missing_runtime',
  'sandbox-unavailable': 'sandbox_unavailable',
};

/** A call of a worker method, with its limits. */
export interface WorkerCall extends CallOptions {
  callId: string;
  method: string;
  params: unknown;
}

/** Listeners for failures of a worker. */
export interface WorkerEvents {
  /** Called when it crashed or could not start. */
  onFailure?: (state: PluginState, reason: HostText) => void;
  onQuarantine: (crashes: number, reason: HostText) => void;
}

export type StopReason =
  'disabled' | 'replaced' | 'restarted' | 'configured' | 'inspected' | 'closing';

/**
 * The worker of one plugin. The process starts with the first call and again after each end; two
 * processes never run at the same time. The time-out of a call includes the start. There is no
 * time-out while the worker belongs to a debugging session, because it may be paused at a
 * breakpoint.
 */
export class PluginWorker {
  private readonly plugin: WorkerPlugin;
  private readonly environment: WorkerEnvironment;
  private readonly log: EventLog;
  private readonly events: WorkerEvents;
  private session: WorkerSession | undefined;
  private inspection: WorkerInspection | undefined;
  private stopping: WorkerError | undefined;
  private crashTimesMs: number[] = [];
  private currentState: PluginState = 'stopped';
  private currentReason: HostText | undefined;

  constructor(
    plugin: WorkerPlugin,
    environment: WorkerEnvironment,
    log: EventLog,
    events: WorkerEvents,
  ) {
    this.plugin = plugin;
    this.environment = environment;
    this.log = log;
    this.events = events;
  }

  get state(): PluginState {
    return this.currentState;
  }

  /** The reason for the current state. */
  get stateReason(): HostText | undefined {
    return this.currentReason;
  }

  /**
   * Calls a method of the worker and resolves with its result.
   * @throws WorkerError
   */
  invoke(call: WorkerCall): Promise<unknown> {
    if (this.stopping !== undefined) return Promise.reject(this.stopping);
    if (this.currentState === 'quarantined') return Promise.reject(this.quarantined());
    let session = this.session;
    if (session === undefined || session.over) session = this.start();
    const timeoutMs = this.inspection === undefined ? call.timeoutMs : Infinity;
    return session.channel.request(call.method, call.params, { ...call, timeoutMs });
  }

  /**
   * Starts the worker if it is not running; resolves when the process exists or could not be
   * started.
   */
  async startNow(): Promise<void> {
    if (this.stopping !== undefined || this.currentState === 'quarantined') return;
    const session = this.session;
    await (session === undefined || session.over ? this.start() : session).launched;
  }

  /**
   * Notifies the worker, rejects all its pending calls and ends it, so that a stuck handler cannot
   * continue. Returns false if no such call is running.
   */
  cancel(callId: string): boolean {
    const session = this.session;
    const id = session === undefined || session.over ? undefined : session.channel.idOf(callId);
    if (session === undefined || id === undefined) return false;
    const own = new WorkerError('cancelled', rpcCodes.cancelled, msg('plugins.callCancelled'));
    this.endFor(session, id, own, 'plugins.stoppedByCancel');
    return true;
  }

  setLogLevel(level: LogLevel): void {
    const session = this.session;
    if (session !== undefined && !session.over) session.channel.notify('host.logLevel', { level });
  }

  /** Lifts the quarantine when the plugin is enabled again. */
  release(): void {
    this.crashTimesMs = [];
    if (this.currentState === 'quarantined') this.become('stopped');
  }

  /** Ends the worker and rejects its calls, including those made until it has ended. */
  async stop(reason: StopReason): Promise<void> {
    const stopError = this.errorForStop(reason);
    this.stopping = stopError;
    try {
      await this.session?.leave(stopGraceMs, () => stopError);
    } finally {
      if (this.currentState !== 'quarantined') this.become('stopped');
      if (this.stopping === stopError) this.stopping = undefined;
    }
  }

  private start(): WorkerSession {
    const before = this.session?.exited;
    const session: WorkerSession = new WorkerSession(this.log, {
      onAlive: () => this.settle(session, 'running'),
      onTimeout: (id, timeoutMs) => this.timedOut(session, id, timeoutMs),
      onLineTooLong: () => this.lineTooLong(session),
      onEnded: (exit) => this.ended(session, exit),
    });
    this.session = session;
    const inspection = this.environment.inspection?.(this.plugin.manifest);
    this.inspection = inspection;
    this.become('starting');
    session.start(
      () => this.launch(session, before, inspection),
      (error) => this.failedToStart(session, error),
    );
    return session;
  }

  private async launch(
    session: WorkerSession,
    before: Promise<void> | undefined,
    inspection: WorkerInspection | undefined,
  ): Promise<void> {
    await before;
    if (session.over) return;
    const { id } = this.plugin;
    const { values, mounts } = await this.readConfig();
    if (session.over) return;
    const { environment } = this;
    const seen = [...mounts, ...(inspection?.mounts ?? [])];
    const started = await startWorkerProcess(this.plugin, environment, seen, inspection);
    const { process, dataDirectory } = started;
    if (process.debugPipe !== undefined) inspection?.attach(process.debugPipe);
    const locale = environment.locale();
    session.connect(process, { pluginId: id, dataDirectory, locale, config: values });
  }

  private async readConfig(): Promise<WorkerConfig> {
    const { manifest } = this.plugin;
    const limit = delay(configLimitMs, undefined, { ref: false });
    const unread = msg('plugins.settingsUnreadable');
    const config = await Promise.race([this.environment.config(manifest), limit]).catch(
      (error: unknown) => {
        throw couldNotStart(manifest.name, error instanceof HostError ? error.text : unread);
      },
    );
    if (config === undefined) throw couldNotStart(manifest.name, unread);
    return config;
  }

  private failedToStart(session: WorkerSession, error: unknown): void {
    if (session.over) return;
    const { name } = this.plugin.manifest;
    const startError =
      error instanceof WorkerError ? error : couldNotStart(name, msg('plugins.reasonUnknown'));
    this.settle(session, unstarted[startError.kind] ?? 'crashed', startError.text);
    void session.leave(0, () => startError);
  }

  private timedOut(session: WorkerSession, id: number, timeoutMs: number): void {
    const message = msg('plugins.callTimedOut', { seconds: timeoutMs / 1_000 });
    const own = new WorkerError('timed-out', rpcCodes.timedOut, withHints(message, session));
    this.endFor(session, id, own, 'plugins.stoppedByTimeout');
  }

  /** Ends the worker because of one call, which is rejected with its own error. */
  private endFor(
    session: WorkerSession,
    id: number,
    own: WorkerError,
    code: 'plugins.stoppedByCancel' | 'plugins.stoppedByTimeout',
  ): void {
    const message = msg(code, { name: this.plugin.manifest.name });
    const others = new WorkerError('crashed', rpcCodes.crashed, message);
    session.channel.notify('$/cancelRequest', { id });
    void session.leave(cancelGraceMs, (pending) => (pending === id ? own : others));
    this.settle(session, 'stopped');
  }

  private lineTooLong(session: WorkerSession): void {
    const message = msg('plugins.lineTooLong', { name: this.plugin.manifest.name });
    const lineError = new WorkerError('line-too-long', rpcCodes.crashed, message);
    this.log.add({ level: 'ERROR', logger: null, thread: null, message: textOf(message) });
    this.settle(session, 'crashed', message);
    void session.leave(0, () => lineError);
  }

  /** An idle worker may exit with 0; any other exit is a crash. */
  private ended(session: WorkerSession, exit: ProcessExit | null): void {
    const message = endMessage(this.plugin.manifest.name, exit);
    const exitError = new WorkerError('crashed', rpcCodes.crashed, withHints(message, session));
    const orderly = exit?.code === 0 && session.channel.openCalls === 0;
    if (!orderly)
      this.log.add({ level: 'ERROR', logger: null, thread: null, message: textOf(message) });
    if (orderly) this.settle(session, 'stopped');
    else this.countCrash(session, message);
    void session.leave(0, () => exitError);
  }

  private countCrash(session: WorkerSession, reason: HostText): void {
    const nowMs = performance.now();
    const recent = this.crashTimesMs.filter((timeMs) => nowMs - timeMs < quarantineWindowMs);
    this.crashTimesMs = [...recent, nowMs];
    if (this.crashTimesMs.length < quarantineCrashes) {
      this.settle(session, 'crashed', reason);
      return;
    }
    const text = msg('plugins.quarantinedBecause', { count: quarantineCrashes, reason });
    this.become('quarantined', text);
    this.events.onFailure?.('quarantined', text);
    if (this.session !== session) void this.session?.leave(0, () => this.quarantined());
    this.events.onQuarantine(quarantineCrashes, reason);
  }

  /** Ignores a session that another one has already replaced. */
  private settle(session: WorkerSession, state: PluginState, reason?: HostText): void {
    if (this.session === session) this.become(state, reason);
    if (reason !== undefined) this.events.onFailure?.(state, reason);
  }

  private become(state: PluginState, reason?: HostText): void {
    this.currentState = state;
    this.currentReason = reason;
  }

  private quarantined(): WorkerError {
    const message = msg('plugins.isQuarantined', {
      name: this.plugin.manifest.name,
      reason: this.currentReason ?? '',
    });
    return new WorkerError('quarantined', rpcCodes.crashed, message);
  }

  private errorForStop(reason: StopReason): WorkerError {
    const { name } = this.plugin.manifest;
    if (reason === 'disabled') {
      const message = msg('plugins.wasDisabled', { name });
      return new WorkerError('disabled', rpcCodes.disabled, message);
    }
    return new WorkerError('crashed', rpcCodes.crashed, stopMessages[reason](name));
  }
}

const stopMessages = {
  replaced: (name: string) => msg('plugins.stoppedForUpdate', { name }),
  restarted: (name: string) => msg('plugins.stoppedForSandbox', { name }),
  inspected: (name: string) => msg('plugins.stoppedForDebugger', { name }),
  configured: (name: string) => msg('plugins.stoppedForSettings', { name }),
  closing: (name: string) => msg('plugins.stoppedForClosing', { name }),
} as const;

function endMessage(name: string, exit: ProcessExit | null): Message {
  if (exit === null) return msg('plugins.workerClosedPipes', { name });
  const { code, signal } = exit;
  return signal === null
    ? msg('plugins.workerExited', { name, code: String(code) })
    : msg('plugins.workerKilled', { name, signal });
}

/** Appends hints for the author of the worker as further lines. */
const withHints = (message: Message, session: WorkerSession): Message =>
  session.hints().reduce((text, hint) => msg('plugins.withHint', { message: text, hint }), message);
