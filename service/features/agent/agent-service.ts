import { randomUUID } from 'node:crypto';
import {
  type AgentPlan,
  type api,
  type BatchRequest,
  type Gate,
  type GateDecision,
  type Input,
  type RunDetails,
  type RunRequest,
  type RunSummary,
} from '../../contract/index.ts';
import { HostError, hostClosing } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import type { Channel } from '../../core/channel.ts';
import type { EventSource, StreamEvent } from '../../http/reply.ts';
import { checkOption } from '../call-gate/index.ts';
import { type NewRun, newRow } from './new-run.ts';
import { InProcessQueue } from './queue/in-process-queue.ts';
import { openGates } from './cluster/open-gates.ts';
import { SharedRuns, staysHere } from './cluster/shared-runs.ts';
import { RunExecutor } from './queue/run-executor.ts';
import type { RunQueue } from './queue/run-queue.ts';
import { AgentRun } from './run/agent-run.ts';
import type { Continuation } from './run/continuation.ts';
import { type MeantGate, noPendingGate } from './run/gate-registry.ts';
import { isOver, type RunOutcome } from './run/run-outcome.ts';
import type { RunPorts } from './run-ports.ts';
import { type Prepared, prepareRun } from './prepare-run.ts';
import { planCheck } from './plan-check.ts';
import { leaseLost } from './runs/lease-lost.ts';
import { logEvent } from './runs/log-event.ts';
import { mergeTexts } from './runs/merge-texts.ts';
import { runEventSource, RunEvents } from './runs/run-events.ts';
import { type RunOrder, type RunRow, summaryOf } from './runs/run-row.ts';
import { detailsOf } from './runs/run-views.ts';

type RunChannel = Channel<StreamEvent>;

/** Time after the end of a run until its unopened stream is dropped. */
const streamRetentionMs = 10 * 60_000;

/** Starts, follows, approves and stops agent runs; reads ended ones from the store. */
export class AgentService {
  private readonly ports: RunPorts;
  private readonly live = new Map<string, AgentRun>();
  private readonly feeds = new Map<string, { feed: RunEvents; readers: number }>();
  private readonly queue: RunQueue;
  /** Null on a single host. */
  private readonly shared: SharedRuns | null;
  private readonly executor: RunExecutor;

  constructor(ports: RunPorts) {
    this.ports = ports;
    this.shared = ports.shared === undefined ? null : new SharedRuns(ports, ports.shared, this);
    this.queue = ports.shared?.queue ?? ports.queue ?? new InProcessQueue();
    this.executor = new RunExecutor({
      queue: this.queue,
      execute: async (runId) => (this.live.get(runId) ?? (await this.shared?.take(runId)))?.start(),
      lost: (runId) => this.loseLease(runId),
      onError: (what, error) => ports.log.error('agent', what, error),
    });
  }

  /**
   * Starts a run and returns its id.
   * @throws HostError 400 `invalid_plan`, 409 `model_not_ready`, `too_many_runs`
   */
  async run({ goal, config, workflow, files }: RunRequest): Promise<string> {
    const order: RunOrder = { config, ...(files ? { files } : {}) };
    const planApproval = config.planApproval ?? true;
    const { runId } = await this.start({ goal, order, plan: workflow ?? null, planApproval });
    return runId;
  }

  async batch({ goals, config, capabilityMode }: BatchRequest) {
    const batchId = randomUUID();
    const order: RunOrder = { config, ...(capabilityMode ? { capabilityMode } : {}) };
    const planApproval = config.planApproval ?? true;
    await this.queue.requireCapacity(goals.length);
    this.ports.backend(config.model);
    const runs = [];
    for (const goal of goals) runs.push(await this.start({ goal, order, planApproval, batchId }));
    return { batchId, runIds: runs.map(({ runId }) => runId) };
  }

  /**
   * Stores and queues a run; `ended` resolves with its outcome.
   * @throws HostError 400 `invalid_plan`, 409 `model_not_ready`, `too_many_runs`, 503
   * `host_closing`
   */
  async start(made: NewRun): Promise<{ runId: string; ended: Promise<RunOutcome> }> {
    await this.queue.requireCapacity(1);
    const { ports } = this;
    // Files of an earlier run or of a schedule were checked when the user chose them.
    const isInherited = made.parentRunId !== undefined || made.order.trigger === 'schedule';
    if (!isInherited) ports.requireChosen(made.order.files ?? []);
    const check = planCheck(ports, made.order);
    if (made.plan) await check(made.plan);
    else ports.backend(made.order.config.model);
    if (this.shared && !staysHere(made)) return this.shared.handOver(made);
    const prepared = await prepareRun(ports, made.order);
    let row: RunRow;
    try {
      row = { ...newRow(made, await ports.posture()), ...this.shared?.ownership };
      await ports.store.add(row);
    } catch (error) {
      await prepared.end();
      throw error;
    }
    const { run, ended } = this.open(row, made, prepared);
    try {
      await (this.shared?.putHere(row) ?? this.queue.put(row.runId));
    } catch (error) {
      // The run is stored already, so its end is recorded, too.
      void run.stop(error);
      await run.start();
      throw error;
    }
    return { runId: row.runId, ended };
  }

  /** Registers the run as live. It starts when the executor takes it from the queue. */
  open(
    row: RunRow,
    made: Pick<NewRun, 'order' | 'planApproval' | 'inherited' | 'caller'>,
    prepared: Prepared,
    { continued, ...other }: { channel?: RunChannel | null; continued?: Continuation } = {},
  ) {
    const { ports } = this;
    const { runId } = row;
    const startedMs = performance.now();
    const feed = new RunEvents();
    const channel = other.channel ?? this.createStream(runId);
    const trace = ports.traceOf?.(row);
    const { log } = ports;
    const run = new AgentRun({
      row,
      channel,
      store: ports.store,
      planApproval: made.planApproval,
      isCall: made.caller !== undefined,
      files: prepared.files,
      check: planCheck(ports, made.order),
      ...(made.inherited ? { inherited: made.inherited } : {}),
      ...(continued ? { continued } : {}),
      ...ports.gateWaits,
      onEvent(event) {
        trace?.(event);
        logEvent(log, runId, event);
        feed.onStored(event);
      },
      gateUnwatched: (gate) => void ports.gateUnwatched(row, gate),
      gateOf: (signal) => prepared.gateOf(runId, signal, made.caller),
      draft: (about) => prepared.draft(row.goal, about),
      answer: (facts, about) => prepared.answer({ goal: row.goal, ...facts }, about),
      onError: (what, error) => ports.log.error('agent', what, error),
      stepEnded: (...step) => ports.stepEnded(...step),
    });
    this.live.set(runId, run);
    ports.activeChanged?.(this.live.size);
    this.feeds.set(runId, { feed, readers: 0 });
    const ended = run.ended.then(async (outcome) => {
      this.live.delete(runId);
      ports.activeChanged?.(this.live.size);
      this.feeds.delete(runId);
      feed.over.publish(undefined);
      setTimeout(() => ports.streams.forget(runId), streamRetentionMs).unref();
      await prepared.end();
      if (outcome.code !== 'lease_lost')
        await ports.runEnded(row, outcome, (performance.now() - startedMs) / 1_000);
      return outcome;
    });
    ended.catch((error: unknown) => ports.log.error('agent', 'A run was not tidied up', error));
    return { run, ended };
  }

  /** The stream of the client that starts the run; its events also reach other followers. */
  createStream(runId: string): RunChannel {
    return this.ports.streams.create(runId, {
      merge: mergeTexts,
      onReader: (present) => this.read(runId, present),
      onSend: (event) => this.feeds.get(runId)?.feed.publishTransient(event),
    });
  }

  private read(runId: string, present: boolean): void {
    const followed = this.feeds.get(runId);
    const run = this.live.get(runId);
    if (!followed || !run) return;
    followed.readers += present ? 1 : -1;
    run.hasReader.now = followed.readers > 0;
    run.gates.seen();
  }

  /**
   * Streams the events of a run with a number above `after`.
   * @throws HostError 404 `unknown_run`
   */
  async follow(runId: string, after: number): Promise<EventSource> {
    const isHere = this.live.has(runId);
    const row = isHere ? null : await this.row(runId);
    const remote = row && this.shared?.source(row, after);
    if (remote) return remote;
    return runEventSource({
      feed: this.feeds.get(runId)?.feed ?? null,
      after,
      read: (from) => this.ports.store.events(runId, from),
      onReader: (present) => this.read(runId, present),
    });
  }

  async approve(
    runId: string,
    meant: MeantGate,
    body: AgentPlan | GateDecision | Record<string, never> | undefined,
  ): Promise<RunSummary> {
    const remote = await this.shared?.ask(runId, { kind: 'approve', data: { meant, body } });
    if (remote) return remote;
    const run = await this.liveRun(runId);
    const asked = body && 'decision' in body ? (body as GateDecision) : undefined;
    const gate = run.gates.find({
      gateId: meant.gateId,
      index: meant.index ?? asked?.index,
      element: meant.element ?? asked?.element,
    });
    if (body && 'steps' in body) await this.approvePlan(run, gate, body as AgentPlan);
    else this.decide(run, gate, asked ?? { decision: 'allow_once' });
    return summaryOf(run.row);
  }

  private async approvePlan(run: AgentRun, gate: Gate, plan: AgentPlan): Promise<void> {
    if (gate.gate !== 'plan') {
      throw new HostError('conflict', 'not_a_plan_gate', msg('run.stepWaitsNotPlan'));
    }
    await planCheck(this.ports, run.row.request)(plan);
    run.gates.answer(gate, { decision: 'allow_once', plan });
  }

  private decide(
    run: AgentRun,
    gate: Gate,
    { index: _, element: __, ...decision }: GateDecision,
  ): void {
    if (gate.gate === 'step') checkOption(gate, decision.decision);
    if (decision.rules) this.ports.checkRules(decision.rules);
    run.gates.answer(gate, decision);
  }

  async cancel(runId: string): Promise<RunSummary> {
    const remote = await this.shared?.ask(runId, { kind: 'cancel', data: null });
    if (remote) return remote;
    const run = this.live.get(runId);
    if (!run || !(await this.isLive(runId))) {
      const { status } = await this.row(runId);
      throw new HostError('conflict', 'run_ended', msg('run.endedAlready', { status }));
    }
    await run.stop(new HostError('conflict', 'run_cancelled', msg('run.cancelled')));
    return summaryOf(run.row);
  }

  /** Starts taking runs of the cluster; does nothing on a single host. */
  async takeRuns(): Promise<void> {
    await this.shared?.start();
  }

  /** Returns true if this host executes the run. */
  isHere(runId: string): boolean {
    return this.live.has(runId);
  }

  /** Called when a person watches the run on another host. */
  seen(runId: string): void {
    this.live.get(runId)?.gates.seen();
  }

  liveIds(): string[] {
    return [...this.live.keys()];
  }

  /**
   * Called when another host has the run, so that this one stops before its next step writes
   * anything.
   */
  loseLease(runId: string): void {
    void this.live.get(runId)?.stop(leaseLost());
  }

  /** Returns the ids of unended runs by the id of their host; '' on a single host. */
  async running(): Promise<ReadonlyMap<string, string[]>> {
    return (await this.shared?.running()) ?? new Map([['', [...this.live.keys()]]]);
  }

  /** Stops the run if it is still live; resolves when it has ended. */
  async stop(runId: string, reason: HostError): Promise<void> {
    await this.live.get(runId)?.stop(reason);
  }

  async runs(query: Input<(typeof api.agent)['runs']>['query']): Promise<RunSummary[]> {
    const rows = await this.ports.store.list({ ...query, q: query.q?.trim() || undefined });
    const named = (await this.shared?.withHosts(rows)) ?? rows;
    return named.map((row) => summaryOf(this.withCurrentStatus(row)));
  }

  async show(runId: string): Promise<RunDetails> {
    const run = this.live.get(runId);
    run?.gates.seen();
    if (!run) await this.shared?.markWatched(runId);
    const row = run?.row ?? (await this.row(runId));
    const events = await this.ports.store.events(runId);
    const gates = run?.gates.pending ?? (this.shared ? openGates(events) : []);
    const [named = row] = (await this.shared?.withHosts([row])) ?? [];
    return detailsOf({ ...named }, events, gates);
  }

  /** @throws HostError 404 `unknown_run`, 409 `run_running` */
  async remove(runId: string): Promise<void> {
    if (await this.isLive(runId))
      throw new HostError('conflict', 'run_running', msg('run.stillRunning'));
    await this.row(runId);
    await this.ports.store.remove(runId);
  }

  /** Returns false for an ended run; resolves after its end is stored. */
  async isLive(runId: string): Promise<boolean> {
    const run = this.live.get(runId);
    if (!run && this.shared) return this.shared.isUnended(runId);
    if (!run?.isOver) return run !== undefined;
    await run.ended;
    return false;
  }

  private async liveRun(runId: string): Promise<AgentRun> {
    const run = this.live.get(runId);
    if (run) return run;
    await this.row(runId);
    throw noPendingGate();
  }

  /** @throws HostError 404 `unknown_run` */
  async row(runId: string): Promise<RunRow> {
    const row = await this.ports.store.find(runId);
    if (!row) throw new HostError('missing', 'unknown_run', msg('run.unknown'));
    return this.withCurrentStatus(row);
  }

  /**
   * A run that is neither live nor stored as ended (its end could not be stored) counts as
   * interrupted.
   */
  private withCurrentStatus(row: RunRow): RunRow {
    const run = this.live.get(row.runId);
    if (run) return run.row;
    return this.shared || isOver(row.status) ? row : { ...row, status: 'interrupted' };
  }

  /** Interrupts all live runs (they can be resumed); resolves when they have ended. */
  async close(): Promise<void> {
    this.queue.close();
    const reason = (await this.shared?.goesOnElsewhere()) ? leaseLost() : hostClosing();
    await Promise.all([...this.live.values()].map((run) => run.stop(reason)));
    await this.executor.ended;
    await this.shared?.close();
  }
}
