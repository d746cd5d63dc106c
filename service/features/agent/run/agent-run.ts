import { randomUUID } from 'node:crypto';
import { Mutex } from 'async-mutex';
import type { AgentPlan, PlanGate, RunEvent, RunStatus } from '../../../contract/index.ts';
import { agentEvents } from '../../../contract/agent.ts';
import { Semaphore } from '../../../core/semaphore.ts';
import { type HostText, mapStrings } from '../../../messages/index.ts';
import { isLeaseLost } from '../runs/lease-lost.ts';
import { RunLog } from '../runs/run-log.ts';
import type { RunRow } from '../runs/run-row.ts';
import { GateRegistry } from './gate-registry.ts';
import {
  type Inherited,
  inheritedEvents,
  inheritedIndexes,
  inheritedResults,
  unchangedSteps,
} from './inherited.ts';
import {
  endEvent,
  outcomeOfError,
  isOver,
  sendFinalEvent,
  type RunOutcome,
  outcomeOfSteps,
  type StepFailure,
  internalError,
} from './run-outcome.ts';
import type { AgentRunOptions } from './agent-run-options.ts';
import type { Emit } from './draft-context.ts';
import { answered, stepFacts, storable } from './run-answer.ts';
import { runSteps, type StepsOptions } from './run-steps.ts';

const gateLimitMs = 10 * 60_000;
/** Delay until an unwatched gate is reported: clients usually open a run right after its start. */
const gateGraceMs = 3_000;
const defaultConcurrency = 4;
/** Total size of the results of a run. */
const maxTotalResultBytes = 64 * 1024 * 1024;
/** Executes one run from its first to its last event. */
export class AgentRun {
  readonly row: RunRow;
  readonly gates: GateRegistry;
  private readonly finished = Promise.withResolvers<RunOutcome>();
  readonly ended: Promise<RunOutcome> = this.finished.promise;
  readonly hasReader = { now: false };
  private readonly options: AgentRunOptions;
  private readonly log: RunLog;
  private readonly abortController = new AbortController();
  private readonly saving = new Mutex();
  private isSaved = true;
  private readonly results = new Map<number, unknown>();
  private plan: AgentPlan | null;

  constructor(options: AgentRunOptions) {
    this.options = options;
    this.row = options.row;
    this.plan = options.row.plan;
    this.gates = new GateRegistry({
      isWatched: () => this.hasReader.now,
      unwatched: options.gateUnwatched,
      graceMs: options.gateGraceMs ?? gateGraceMs,
    });
    this.log = new RunLog(
      options.store,
      this.row.runId,
      (event) => this.emitStored(event),
      options.continued?.sequence,
    );
  }

  /** Executes the run; must be called once. Never rejects. */
  start(): Promise<RunOutcome> {
    void this.execute().then(this.finished.resolve);
    return this.ended;
  }

  /** True once the run has ended; its row may still be stored until `ended` resolves. */
  get isOver(): boolean {
    return isOver(this.row.status);
  }

  get isReadOnly(): boolean {
    return this.row.request.capabilityMode === 'read-only';
  }

  /** Stops at the next safe point; resolves when the run has ended. */
  async stop(reason: unknown): Promise<void> {
    this.abortController.abort(reason);
    await this.ended;
  }

  private readonly emit: Emit = (event, data) => this.options.channel.send({ event, data });

  /** Sends a stored event to the stream; the end is sent by `sendFinalEvent`. */
  private emitStored(event: RunEvent): void {
    const { type, data } = event;
    this.options.onEvent?.(event);
    if (!(type in agentEvents) || type === 'complete') return;
    const about = type === 'step_start' || type === 'step_complete';
    const step = about ? { step: this.plan?.steps[Number(data['index'])] } : {};
    this.emit(type, { ...data, ...step });
    // The metrics count a step with `forEach` by its elements.
    const isList = step.step?.forEach !== undefined && data['element'] === undefined;
    if (type !== 'step_complete' || isList) return;
    const seconds = Number(data['durationMs']) / 1_000;
    this.options.stepEnded(String(step.step?.tool), String(data['status']), seconds);
  }

  private async execute(): Promise<RunOutcome> {
    let outcome: RunOutcome;
    try {
      outcome = await this.work();
    } catch (error) {
      const { signal } = this.abortController;
      outcome = outcomeOfError(signal.aborted ? signal.reason : error, this.options.onError);
    }
    const stopReason: unknown = this.abortController.signal.reason;
    if (isLeaseLost(stopReason)) return this.leave(stopReason);
    try {
      await this.finish(outcome);
      return outcome;
    } catch (error) {
      if (isLeaseLost(error)) return this.leave(error);
      this.options.onError('The end of a run could not be stored', error);
      this.options.channel.end(error);
      return { status: 'failed', error: internalError };
    }
  }

  /** Another host has the run, or will take it: nothing more is stored here. */
  private async leave(reason: unknown): Promise<RunOutcome> {
    await this.log.settled();
    this.options.channel.end(reason);
    return { status: 'interrupted', code: 'lease_lost' };
  }

  private async work(): Promise<RunOutcome> {
    const { row, options } = this;
    const { continued } = options;
    await this.begin();
    const plan = this.plan ?? (await this.drafted());
    await this.adopt(plan);
    if (!continued?.planned) this.announce(plan);
    const approved = options.planApproval ? await this.approvedPlan(plan) : plan;
    if (approved === null) return { status: 'cancelled' };
    for (const one of continued?.failures ?? []) this.failures.set(...one);
    this.status = 'running';
    const progress = await runSteps({
      runId: row.runId,
      plan: approved,
      config: row.request.config,
      readOnly: this.isReadOnly,
      isCall: options.isCall,
      values: this.values(approved),
      doneElements: inheritedResults(options.inherited).elements,
      gates: this.gates,
      signal: this.abortController.signal,
      emit: this.emit,
      gate: options.gateOf(this.abortController.signal),
      semaphore: new Semaphore(row.request.config.concurrency ?? defaultConcurrency),
      gateLimitMs: options.gateLimitMs ?? gateLimitMs,
      resultCapacity: { bytes: maxTotalResultBytes },
      record: (type, data) => this.record(type, data),
      gatesChanged: () => this.gatesChanged(),
      failures: this.failures,
      ...(continued ? { ended: continued.ended } : {}),
    });
    this.abortController.signal.throwIfAborted();
    return this.withAnswer(approved, outcomeOfSteps(approved, progress, this.failures));
  }

  /** Adds a written answer to the outcome of a plan that the model drafted. */
  private withAnswer(plan: AgentPlan, outcome: RunOutcome): Promise<RunOutcome> {
    const { drafted = false, config } = this.row.request;
    const isAsked = outcome.status === 'completed' && drafted && config.answer !== false;
    if (!isAsked) return Promise.resolve(outcome);
    return answered(outcome, stepFacts(plan, this.results, this.failures), {
      ask: (steps, context) => this.options.answer({ plan, steps }, context),
      signal: this.abortController.signal,
      emit: this.emit,
      record: this.recordInBackground,
      onError: this.options.onError,
    });
  }

  private async begin(): Promise<void> {
    const { goal, request, posture, parentRunId } = this.row;
    const { handover: _, ...asked } = request;
    const { continued } = this.options;
    // Stored first, because it ends the write access of the earlier host.
    if (continued) await this.record('run_continued', { host: continued.host });
    else this.recordInBackground('run_created', { goal, ...asked, posture, parentRunId });
  }

  private announce(plan: AgentPlan): void {
    this.recordInBackground('plan_ready', { plan });
    for (const { type, data } of inheritedEvents(this.options.inherited))
      this.recordInBackground(type, data);
  }

  /** An event that cannot be stored ends the run, also while steps wait for approval. */
  private async record(type: string, data: Record<string, unknown>): Promise<void> {
    try {
      await this.log.add(type, data);
    } catch (error) {
      this.abortController.abort(error);
      throw error;
    }
  }

  /** The event is stored no later than the next one. */
  private readonly recordInBackground: Emit = (type, data) => {
    this.record(type, data).catch(() => undefined);
  };

  private readonly failures = new Map<number, StepFailure>();

  /** The values of references, with the results inherited from the earlier run. */
  private values(plan: AgentPlan): StepsOptions['values'] {
    const { results } = this;
    for (const [index, result] of inheritedResults(this.options.inherited).results)
      if (plan.steps[index]) results.set(index, result);
    const byId = new Map(plan.steps.flatMap(({ id }, index) => (id ? [[id, index] as const] : [])));
    const { inputs = {} } = this.row.request;
    const inputOf = (name: string): unknown => (Object.hasOwn(inputs, name) ? inputs[name] : null);
    const order = [...results.keys()];
    return { results, order, indexOf: (id) => byId.get(id), inputOf, files: this.options.files };
  }

  private async drafted(): Promise<AgentPlan> {
    const { signal } = this.abortController;
    const plan = await this.options.draft({
      signal,
      emit: this.emit,
      record: this.recordInBackground,
    });
    signal.throwIfAborted();
    this.row.request = { ...this.row.request, drafted: true };
    return plan;
  }

  /** Stores a new plan before it is announced; the caller's plan is in the row already. */
  private async adopt(plan: AgentPlan): Promise<void> {
    if (plan === this.row.plan) return;
    this.plan = plan;
    this.row.plan = plan;
    await this.save();
  }

  /** Returns null if the user rejects the plan. */
  private async approvedPlan(plan: AgentPlan): Promise<AgentPlan | null> {
    const { inherited } = this.options;
    const gate: PlanGate = {
      runId: this.row.runId,
      gateId: randomUUID(),
      gate: 'plan',
      plan,
      ...inheritedIndexes(inherited),
    };
    // A client that sees the gate must also see all earlier events.
    await this.log.settled();
    const answered = this.gates.ask(gate, { signal: this.abortController.signal });
    answered.catch(() => undefined);
    this.gatesChanged();
    await this.log.add('plan_approval_requested', { ...gate });
    const { decision, comment, plan: edited } = await answered;
    const { gateId } = gate;
    if (decision === 'reject') {
      await this.log.add('plan_rejected', { gateId, ...(comment ? { comment } : {}) });
      return null;
    }
    if (edited) await this.adopt(edited);
    await this.log.add('plan_approved', {
      gateId,
      edited: edited !== undefined,
      ...(edited ? { plan: edited } : {}),
    });
    if (edited && inherited) await this.dropChanged(plan, edited, inherited);
    return edited ?? plan;
  }

  /** Drops the results of steps that the user changed. */
  private async dropChanged(
    plan: AgentPlan,
    edited: AgentPlan,
    inherited: Inherited,
  ): Promise<void> {
    const retained = unchangedSteps(plan, edited, inherited);
    for (const index of new Set(inherited.done.map((one) => one.index)))
      if (!retained.has(index)) await this.log.add('step_dropped', { index });
    inherited.done = inherited.done.filter(({ index }) => retained.has(index));
  }

  private set status(status: RunStatus) {
    if (this.row.status === status) return;
    this.row.status = status;
    void this.saveLater().catch((error: unknown) =>
      this.options.onError('The state of a run could not be stored', error),
    );
  }

  /** The row is stored after the events it results from. */
  private async saveLater(): Promise<void> {
    this.isSaved = false;
    await this.log.settled();
    if (!this.isSaved) await this.save();
  }

  private gatesChanged(): void {
    if (this.abortController.signal.aborted) return;
    const waits = new Set(this.gates.pending.map(({ gate }) => gate));
    this.status = waits.has('plan')
      ? 'awaiting_plan_approval'
      : waits.has('step')
        ? 'awaiting_step_approval'
        : 'running';
  }

  private save(): Promise<void> {
    this.isSaved = true;
    this.row.updatedAt = new Date().toISOString();
    return this.saving.runExclusive(() => this.options.store.update(this.row));
  }

  /** The stored event decides the outcome; the row repeats it for lists. */
  private async finish(outcome: RunOutcome): Promise<void> {
    const { row } = this;
    await this.log.add(...endEvent(outcome));
    row.status = outcome.status;
    row.summary = plainText(outcome.summary);
    row.error = plainText(outcome.error);
    row.finishedAt = new Date().toISOString();
    const results = (row.plan?.steps ?? []).map((_, index) => this.results.get(index));
    sendFinalEvent(this.options.channel, { runId: row.runId, results }, outcome);
    await this.save();
  }
}

/** Removes NUL characters and lone surrogates, which not every database can store. */
const plainText = (text: HostText | undefined): HostText | null =>
  text === undefined ? null : mapStrings(text, storable);
