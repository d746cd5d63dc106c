import { randomUUID } from 'node:crypto';
import type {
  AgentPlan,
  BatchRequest,
  Gate,
  GateDecision,
  RunDetails,
  RunRequest,
  RunSummary,
} from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import type { StreamEvent } from '../../http/reply.ts';
import { checkOption } from '../call-gate/index.ts';
import type { ToolCaller } from '../tools/index.ts';
import { AgentRun } from './run/agent-run.ts';
import { nothingWaits } from './run/gate-book.ts';
import { type Inherited, inheritedFrom } from './run/inherited.ts';
import type { RunEnding } from './run/run-ending.ts';
import type { RunPorts } from './run-ports.ts';
import { type Prepared, prepareRun } from './prepare-run.ts';
import { planCheck } from './plan-check.ts';
import { executionsOf } from './runs/executions-of.ts';
import { type RunOrder, type RunRow, summaryOf } from './runs/run-row.ts';
import { detailsOf } from './runs/run-views.ts';

/** What a run is made from. */
export interface NewRun {
  goal: string;
  order: RunOrder;
  plan?: AgentPlan | null;
  planApproval: boolean;
  parentRunId?: string;
  batchId?: string;
  workflowId?: string;
  inherited?: Inherited;
  /** It is a call of a model: under these permissions, and nobody is asked. */
  caller?: ToolCaller;
}

const maxLive = 100;
/** A stream that nobody has opened by then is forgotten. */
const streamKeptMs = 10 * 60_000;

/** The runs that are under way, and all others as they were stored. */
export class AgentDesk {
  private readonly ports: RunPorts;
  private readonly live = new Map<string, AgentRun>();
  private closing = false;

  constructor(ports: RunPorts) {
    this.ports = ports;
  }

  /** @throws HostError 400 `invalid_plan`, 409 `model_not_ready`, `too_many_runs` */
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
    this.requireRoom(goals.length);
    this.ports.backend(config.model);
    const runs = [];
    for (const goal of goals) runs.push(await this.start({ goal, order, planApproval, batchId }));
    return { batchId, runIds: runs.map(({ runId }) => runId) };
  }

  /** A run that has begun, and how it ends. */
  async start(made: NewRun): Promise<{ runId: string; ended: Promise<RunEnding> }> {
    this.requireRoom(1);
    const { ports } = this;
    const check = planCheck(ports, made.order);
    if (made.plan) await check(made.plan);
    else ports.backend(made.order.config.model);
    const prepared = await prepareRun(ports, made.order);
    try {
      const row = await rowOf(made, ports);
      await ports.store.add(row);
      return this.begin(row, made, prepared);
    } catch (error) {
      await prepared.end();
      throw error;
    }
  }

  private begin(row: RunRow, made: NewRun, prepared: Prepared) {
    const { ports } = this;
    const { runId } = row;
    const startedMs = performance.now();
    const reader = (present: boolean): void => {
      const run = this.live.get(runId);
      if (run) run.hasReader.now = present;
      run?.gates.seen();
    };
    const channel = ports.streams.create(runId, { merge: mergeTexts, onReader: reader });
    const run = new AgentRun({
      ...{ row, channel, store: ports.store, planApproval: made.planApproval },
      isCall: made.caller !== undefined,
      ...{ files: prepared.files, check: planCheck(ports, made.order) },
      ...(made.inherited ? { inherited: made.inherited } : {}),
      ...(ports.gateLimitMs === undefined ? {} : { gateLimitMs: ports.gateLimitMs }),
      gateOf: (signal) => prepared.gateOf(runId, signal, made.caller),
      draft: (about) => prepared.draft(row.goal, about),
      trouble: (what, error) => ports.log.error('agent', what, error),
      stepEnded: (...step) => ports.stepEnded(...step),
    });
    this.live.set(runId, run);
    const ended = run.ended.then(async (ending) => {
      this.live.delete(runId);
      setTimeout(() => ports.streams.forget(runId), streamKeptMs).unref();
      await prepared.end();
      await ports.runEnded(row, (performance.now() - startedMs) / 1_000);
      return ending;
    });
    ended.catch((error: unknown) => ports.log.error('agent', 'A run was not tidied up', error));
    return { runId, ended };
  }

  async approve(
    runId: string,
    meant: { gateId?: string | undefined; index?: number | undefined },
    body: AgentPlan | GateDecision | Record<string, never> | undefined,
  ): Promise<RunSummary> {
    const run = await this.liveRun(runId);
    const asked = body && 'decision' in body ? (body as GateDecision) : undefined;
    const gate = run.gates.find({ gateId: meant.gateId, index: meant.index ?? asked?.index });
    if (body && 'steps' in body) await this.approvePlan(run, gate, body as AgentPlan);
    else this.decide(run, gate, asked ?? { decision: 'allow_once' });
    return summaryOf(run.row);
  }

  private async approvePlan(run: AgentRun, gate: Gate, plan: AgentPlan): Promise<void> {
    if (gate.gate !== 'plan') {
      const message = 'A step waits for a decision, not the plan. Send a decision, or nothing.';
      throw new HostError('conflict', 'not_a_plan_gate', message);
    }
    await planCheck(this.ports, run.row.request)(plan);
    run.gates.answer(gate, { decision: 'allow_once', plan });
  }

  private decide(run: AgentRun, gate: Gate, { index: _, ...decision }: GateDecision): void {
    if (gate.gate === 'step') checkOption(gate, decision.decision);
    if (decision.rules) this.ports.checkRules(decision.rules);
    run.gates.answer(gate, decision);
  }

  async cancel(runId: string): Promise<RunSummary> {
    const run = this.live.get(runId);
    if (!run) {
      const { status } = await this.row(runId);
      const message = `This run has ended already (${status}).`;
      throw new HostError('conflict', 'run_ended', message);
    }
    await run.stop(new HostError('conflict', 'run_cancelled', 'The run was cancelled.'));
    return summaryOf(run.row);
  }

  async runs(query: { q?: string | undefined; limit: number; before?: string | undefined }) {
    const { q = null, before = null, limit } = query;
    const rows = await this.ports.store.list({ q: q?.trim() || null, limit, before });
    return rows.map((row) => summaryOf(this.asItStands(row)));
  }

  async show(runId: string): Promise<RunDetails> {
    const run = this.live.get(runId);
    run?.gates.seen();
    const row = run?.row ?? (await this.row(runId));
    const events = await this.ports.store.events(runId);
    return detailsOf({ ...row }, events, run?.gates.pending ?? []);
  }

  /** @throws HostError 409 `nothing_to_resume`, `run_running`, `posture_changed` */
  async resume(runId: string): Promise<string> {
    return this.again(runId, (row) => {
      if (row.status !== 'completed') return { keep: row.plan?.steps.length ?? 0 };
      const message = 'This run was completed: nothing is left to do. Fork it to go another way.';
      throw new HostError('conflict', 'nothing_to_resume', message);
    });
  }

  fork(runId: string): Promise<string> {
    return this.again(runId, (row) => ({ keep: row.plan?.steps.length ?? 0 }));
  }

  /** @throws HostError 400 `invalid_plan` where the steps that are kept need others */
  rewind(runId: string, keepSteps: number): Promise<string> {
    return this.again(runId, (row) => {
      const count = row.plan?.steps.length ?? 0;
      if (keepSteps <= count) return { keep: keepSteps };
      const message = `This run has ${count} steps, so ${keepSteps} cannot be kept.`;
      throw new HostError('invalid', 'invalid_body', message, {
        errors: [{ path: 'keepSteps', message: `must be at most ${count}` }],
      });
    });
  }

  private async again(runId: string, choose: (row: RunRow) => { keep: number }): Promise<string> {
    if (this.live.has(runId)) {
      const message = 'This run is still under way. Cancel it first, or wait for its end.';
      throw new HostError('conflict', 'run_running', message);
    }
    const row = await this.row(runId);
    const { keep } = choose(row);
    await this.requirePosture(row);
    const plan = row.plan && { ...row.plan, steps: row.plan.steps.slice(0, keep) };
    const executions = executionsOf(row.plan, await this.ports.store.events(runId));
    const { runId: made } = await this.start({
      ...{ goal: row.goal, order: row.request, plan, planApproval: true },
      ...{ parentRunId: runId, inherited: inheritedFrom(executions, keep) },
      ...(row.workflowId === null ? {} : { workflowId: row.workflowId }),
    });
    return made;
  }

  private async requirePosture({ posture }: RunRow): Promise<void> {
    if (posture === 'unsandboxed' || (await this.ports.posture()) === 'sandboxed') return;
    const message =
      'This run was made while plugins were held in the sandbox, and now they are not. Switch the sandbox on again, or begin a new run.';
    throw new HostError('conflict', 'posture_changed', message);
  }

  private requireRoom(count: number): void {
    if (this.closing)
      throw new HostError('unavailable', 'host_closing', 'The host is closing; start it again.');
    if (this.live.size + count <= maxLive) return;
    const message = `${maxLive} runs are under way. Wait for one of them, or cancel it.`;
    throw new HostError('conflict', 'too_many_runs', message);
  }

  private async liveRun(runId: string): Promise<AgentRun> {
    const run = this.live.get(runId);
    if (run) return run;
    await this.row(runId);
    throw nothingWaits();
  }

  /** @throws HostError 404 `unknown_run` */
  private async row(runId: string): Promise<RunRow> {
    const row = await this.ports.store.find(runId);
    if (!row) throw new HostError('missing', 'unknown_run', 'There is no run of that id.');
    return this.asItStands(row);
  }

  /** A run that nobody does any more, whose end could not be stored, is one that was interrupted. */
  private asItStands(row: RunRow): RunRow {
    const run = this.live.get(row.runId);
    if (run) return run.row;
    const open = !['completed', 'failed', 'cancelled', 'interrupted'].includes(row.status);
    return open ? { ...row, status: 'interrupted' } : row;
  }

  /** What runs is interrupted, and can be resumed. */
  async close(): Promise<void> {
    this.closing = true;
    const reason = new HostError('unavailable', 'host_closing', 'The host is closing.');
    await Promise.all([...this.live.values()].map((run) => run.stop(reason)));
  }
}

async function rowOf(made: NewRun, ports: RunPorts): Promise<RunRow> {
  const now = new Date().toISOString();
  return {
    ...{ runId: randomUUID(), goal: made.goal, status: 'planning', request: made.order },
    ...{ posture: await ports.posture(), plan: made.plan ?? null, summary: null, error: null },
    ...{ parentRunId: made.parentRunId ?? null, batchId: made.batchId ?? null },
    ...{ workflowId: made.workflowId ?? null, createdAt: now, updatedAt: now, finishedAt: null },
  };
}

/** Texts that nobody has read yet are one text. */
function mergeTexts(last: StreamEvent, next: StreamEvent): StreamEvent | null {
  if (last.event !== 'plan_token' || next.event !== 'plan_token') return null;
  const text = ({ data }: StreamEvent): string => (data as { text: string }).text;
  return { event: 'plan_token', data: { text: text(last) + text(next) } };
}
