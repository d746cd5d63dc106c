import type { Client } from '../../../service/client/index.ts';
import type { AgentPlan, GateDecision, RunDetails } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Store } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';
import { wait } from '../../core/wait.ts';
import { followRun } from './follow-run.ts';
import type { FollowedEvent, RunState } from './run-state.ts';
import {
  afterFollowedEvent,
  afterReading,
  lastSequence,
  needsRefetch,
  withoutGate,
} from './run-state.ts';

/** Batches events that arrive within this time into one update. */
const gatherMs = 33;
const rereadDelayMs = 200;
const maxReadings = 20;

/** The state of an open run. */
export interface OpenRun {
  kind: 'loading' | 'failed' | 'ready';
  /** Null until it was loaded. */
  run: RunState | null;
  error: unknown;
}

/** The dependencies of `AgentRun`. */
export interface AgentRunPorts {
  client: Client;
  /** Called when something changed that the list of runs shows, too. */
  onChange: (details: RunDetails) => void;
}

/** One open run of the shell, followed while it has watchers. */
export class AgentRun {
  readonly runId: string;
  readonly state: Store<OpenRun> = createStore<OpenRun>({
    kind: 'loading',
    run: null,
    error: null,
  });
  readonly #ports: AgentRunPorts;
  #following: AbortController | null = null;
  #watchers = 0;
  #gathered: FollowedEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The `#following` that a request belongs to; null while no request is active. */
  #reading: AbortController | null = null;
  /**
   * True if a gate was answered since the last request began, so its response may still have the
   * gate.
   */
  #isAnswered = false;

  constructor(ports: AgentRunPorts, runId: string) {
    this.#ports = ports;
    this.runId = runId;
  }

  /** Follows the run until the returned function is called. */
  watch(): () => void {
    this.#watchers += 1;
    this.#follow();
    return () => {
      this.#watchers -= 1;
      if (this.#watchers === 0) this.#leave();
    };
  }

  /** Follows again after a failure or an outage of the service. */
  retry(): void {
    this.#leave();
    if (this.#watchers > 0) this.#follow();
  }

  close(): void {
    this.#leave();
  }

  #follow(): void {
    if (this.#following !== null) return;
    const following = new AbortController();
    this.#following = following;
    void this.#followUntilOver(following.signal).finally(() => {
      if (this.#following === following) this.#following = null;
    });
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gathered = [];
    this.#following?.abort();
    this.#following = null;
  }

  async #followUntilOver(signal: AbortSignal): Promise<void> {
    try {
      await followRun({
        client: this.#ports.client,
        runId: this.runId,
        signal,
        onEvent: (event) => this.#receive(event),
        onRead: (details) => this.#take(details),
      });
    } catch (error) {
      if (signal.aborted) return;
      const { run } = this.state.get();
      this.state.set({ kind: run === null ? 'failed' : 'ready', run, error });
    }
  }

  async #read(): Promise<void> {
    const params = { runId: this.runId };
    this.#take(await this.#ports.client.call(api.agent.show, { params }));
  }

  #take(details: RunDetails): void {
    this.#show();
    const before = this.state.get().run;
    this.state.set({ kind: 'ready', run: afterReading(before, details), error: null });
    if (before?.details.status !== details.status) this.#ports.onChange(details);
  }

  #receive(event: FollowedEvent): void {
    this.#gathered.push(event);
    this.#timer ??= setTimeout(() => this.#show(), gatherMs);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#gathered;
    this.#gathered = [];
    const { run, kind } = this.state.get();
    if (run === null || events.length === 0) return;
    const next = events.reduce(afterFollowedEvent, run);
    this.state.set({ kind, run: next, error: null });
    if (next.details.status !== run.details.status) this.#ports.onChange(next.details);
    if (events.some(needsRefetch)) this.#readSoon();
  }

  /**
   * Reads the run unless a request is already active. A failure is ignored: the run is read again
   * when the stream ends.
   */
  #readSoon(): void {
    const following = this.#following;
    if (following === null || this.#reading === following) return;
    this.#reading = following;
    void this.#readUntilCurrent(following.signal)
      .catch(() => undefined)
      .finally(() => {
        if (this.#reading === following) this.#reading = null;
      });
  }

  /** Repeats the request while events that arrived during it are newer than its response. */
  async #readUntilCurrent(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < maxReadings && !signal.aborted; attempt += 1) {
      this.#isAnswered = false;
      const params = { runId: this.runId };
      const details = await this.#ports.client.call(api.agent.show, { params, signal });
      this.#show();
      const { run } = this.state.get();
      const isCurrent = run === null || lastSequence(details) >= lastSequence(run.details);
      if (isCurrent && !this.#isAnswered) return this.#take(details);
      await wait(rereadDelayMs, signal);
    }
  }

  /**
   * Approves the plan; `edited` replaces it. Rejects with `ServiceError`; the gate then stays open.
   */
  async approvePlan(gateId: string, edited: AgentPlan | null): Promise<void> {
    await this.#answer(gateId, edited ?? {});
  }

  /** Rejects with `ServiceError`, for example for invalid rules; the gate then stays open. */
  async decide(gateId: string, decision: GateDecision): Promise<void> {
    await this.#answer(gateId, decision);
  }

  async #answer(
    gateId: string,
    body: AgentPlan | GateDecision | Record<string, never>,
  ): Promise<void> {
    const { client } = this.#ports;
    const params = { runId: this.runId };
    await client.call(api.agent.approve, { params, query: { gateId }, body });
    const { run, kind } = this.state.get();
    if (run === null) return;
    const details = withoutGate(run.details, gateId);
    this.state.set({ kind, run: { ...run, details }, error: null });
    this.#ports.onChange(details);
    this.#isAnswered = true;
    this.#readSoon();
  }

  /** Rejects with `ServiceError`. */
  async cancel(): Promise<void> {
    const params = { runId: this.runId };
    await this.#ports.client.call(api.agent.cancel, { params });
    await this.#read();
  }
}
