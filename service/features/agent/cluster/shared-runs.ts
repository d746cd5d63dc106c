import type { AgentPlan, GateDecision, RunSummary } from '../../../contract/index.ts';
import type { Channel } from '../../../core/channel.ts';
import type { EventSource, StreamEvent } from '../../../http/reply.ts';
import { newRow, type NewRun } from '../new-run.ts';
import { type Prepared, prepareRun } from '../prepare-run.ts';
import type { RunPorts } from '../run-ports.ts';
import type { AgentRun } from '../run/agent-run.ts';
import type { Continuation } from '../run/continuation.ts';
import { type Inherited, inheritedFrom } from '../run/inherited.ts';
import { isOver, type RunOutcome } from '../run/run-outcome.ts';
import { executionsOf } from '../runs/executions-of.ts';
import { finishRow } from '../runs/recover-runs.ts';
import { runEventSource } from '../runs/run-events.ts';
import { type RunRow, summaryOf } from '../runs/run-row.ts';
import { type NextAction, nextAction } from './continue-run.ts';
import type { RunCluster } from './run-cluster.ts';
import type { RunRequestBody } from './run-requests.ts';

/** The body of a request to approve on the host that has the run. */
export interface RemoteApproval {
  meant: { gateId?: string | undefined; index?: number | undefined };
  body: AgentPlan | GateDecision | Record<string, never> | undefined;
}

/** The agent service of this host, as the cluster uses it. */
export interface LocalService {
  isHere(runId: string): boolean;
  liveIds(): string[];
  loseLease(runId: string): void;
  seen(runId: string): void;
  cancel(runId: string): Promise<RunSummary>;
  approve(
    runId: string,
    meant: RemoteApproval['meant'],
    body: RemoteApproval['body'],
  ): Promise<RunSummary>;
  createStream(runId: string): Channel<StreamEvent>;
  open(
    row: RunRow,
    made: Pick<NewRun, 'order' | 'planApproval' | 'inherited' | 'caller'>,
    prepared: Prepared,
    options: { channel: Channel<StreamEvent> | null; continued?: Continuation },
  ): { run: AgentRun };
}

/** Files and callers exist only on the host where a run was started. */
export const staysHere = ({ caller, order }: NewRun): boolean =>
  caller !== undefined || (order.files?.length ?? 0) > 0;

/** The parts of the agent service that differ if hosts share the runs. */
export class SharedRuns {
  private readonly ports: RunPorts;
  private readonly cluster: RunCluster;
  private readonly service: LocalService;

  constructor(ports: RunPorts, cluster: RunCluster, service: LocalService) {
    this.ports = ports;
    this.cluster = cluster;
    this.service = service;
  }

  start(): Promise<void> {
    return this.cluster.start({
      isLive: (runId) => this.service.isHere(runId),
      seen: (runId) => this.service.seen(runId),
      liveIds: () => this.service.liveIds(),
      lost: (runId) => this.service.loseLease(runId),
      act: (runId, body) => this.act(runId, body),
    });
  }

  /** The owner columns of a run that stays on this host. */
  get ownership(): Pick<RunRow, 'owner' | 'generation'> {
    return { owner: this.cluster.cluster.hostId, generation: 1 };
  }

  putHere({ runId, generation = 1 }: RunRow): Promise<void> {
    this.cluster.queue.putHere(runId, generation);
    return Promise.resolve();
  }

  /** Stores a run that any host may take. */
  async handOver(made: NewRun): Promise<{ runId: string; ended: Promise<RunOutcome> }> {
    const { store, posture } = this.ports;
    const { inherited, plan, planApproval } = made;
    const versions = await this.cluster.toolVersions();
    const names = new Set((plan?.steps ?? []).map(({ tool }) => tool));
    const handover = {
      planApproval,
      ...(inherited && plan ? { keepSteps: plan.steps.length } : {}),
      tools: Object.fromEntries([...names].map((name) => [name, versions[name] ?? ''])),
    };
    const row = newRow({ ...made, order: { ...made.order, handover } }, await posture());
    const { runId } = row;
    await store.add(row);
    const ended = this.cluster.outcome(runId, this.service.createStream(runId));
    try {
      await this.cluster.queue.put(runId);
    } catch (error) {
      // Its client receives a failure, so no host may take it later.
      if ((await this.cluster.claims.claim(runId, true)) !== null)
        await finishRow(store, (await store.find(runId)) ?? row);
      throw error;
    }
    return { runId, ended };
  }

  /** Opens a run that this host has claimed; null if only its end remains to be stored. */
  async take(runId: string): Promise<AgentRun | null> {
    const { ports } = this;
    const { store } = ports;
    const row = await store.find(runId);
    if (!row || isOver(row.status)) return null;
    const next = nextAction(row, await store.events(runId), this.cluster.cluster.name);
    if (next.kind === 'start' || next.kind === 'continue') return this.openTaken(row, next);
    const finished = await finishRow(store, row);
    if (next.kind === 'interrupt') await ports.hostLost?.(finished);
    return null;
  }

  private async openTaken(
    row: RunRow,
    next: Extract<NextAction, { kind: 'start' | 'continue' }>,
  ): Promise<AgentRun> {
    const { runId, request } = row;
    const isContinued = next.kind === 'continue';
    const inherited = isContinued ? next.inherited : await this.inheritedOf(row);
    const asked = request.handover?.planApproval ?? true;
    const planApproval = isContinued ? next.planApproval : asked;
    const made = { order: request, planApproval, ...(inherited ? { inherited } : {}) };
    const prepared = await prepareRun(this.ports, request);
    const { run } = this.service.open(row, made, prepared, {
      channel: this.cluster.takeChannel(runId),
      ...(isContinued ? { continued: next.continued } : {}),
    });
    this.cluster.opened(runId);
    return run;
  }

  private async inheritedOf({ parentRunId, request }: RunRow): Promise<Inherited | undefined> {
    const { store } = this.ports;
    const keepSteps = request.handover?.keepSteps;
    if (parentRunId === null || keepSteps === undefined) return undefined;
    const plan = (await store.find(parentRunId))?.plan ?? null;
    return inheritedFrom(executionsOf(plan, await store.events(parentRunId)), keepSteps);
  }

  /** Returns the events of a run that another host executes; null if none does. */
  source(row: RunRow, after: number): EventSource | null {
    if (isOver(row.status)) return null;
    const { runId } = row;
    const { run, leave } = this.cluster.follow(runId);
    let stopWatching = (): void => undefined;
    const watch = (id: string) => this.watch(id);
    return runEventSource({
      feed: run.feed,
      after,
      read: (from) => this.ports.store.events(runId, from),
      onReader(present) {
        stopWatching();
        if (!present) return leave();
        stopWatching = watch(runId);
        if (run.isOver) queueMicrotask(() => run.feed.over.publish(undefined));
      },
    });
  }

  /** While a client reads the run here, its host is notified at each heartbeat. */
  private watch(runId: string): () => void {
    const notifyHost = (): void => void this.cluster.watched(runId).catch(() => undefined);
    notifyHost();
    return this.cluster.cluster.beat.subscribe(notifyHost);
  }

  /** Called when a person watches a run that another host has. */
  async markWatched(runId: string): Promise<void> {
    await this.cluster.watched(runId);
  }

  /**
   * Asks the host that owns the run. Null if this host owns it, or none does: then this host
   * answers itself.
   */
  async ask(runId: string, body: RunRequestBody): Promise<RunSummary | null> {
    const { store } = this.ports;
    const row = await store.find(runId);
    const { hostId } = this.cluster.cluster;
    if (row === null || isOver(row.status)) return null;
    if (this.service.isHere(runId)) {
      if (row.owner === hostId) return null;
      // This host was slow: an answer to its own gate would be lost.
      this.service.loseLease(runId);
    }
    if (row.owner === null && body.kind === 'cancel') {
      const generation = await this.cluster.claims.claim(runId, true);
      if (generation !== null)
        return summaryOf(await finishRow(store, { ...row, generation }, 'cancelled'));
    }
    if (row.owner === null && body.kind === 'approve') return null;
    return (await this.cluster.ask(runId, body)) as RunSummary;
  }

  private act(runId: string, { kind, data }: RunRequestBody): Promise<unknown> {
    if (kind === 'cancel') return this.service.cancel(runId);
    const { meant, body } = data as RemoteApproval;
    return this.service.approve(runId, meant, body);
  }

  async isUnended(runId: string): Promise<boolean> {
    const row = await this.ports.store.find(runId);
    return row !== null && !isOver(row.status);
  }

  running(): Promise<ReadonlyMap<string, string[]>> {
    return this.cluster.claims.byOwner();
  }

  /** Adds the names of the hosts that execute or executed the runs. */
  async withHosts(rows: readonly RunRow[]): Promise<RunRow[]> {
    const names = await this.cluster.cluster.names();
    return rows.map((row) => {
      const id = row.owner ?? null;
      return id === null ? row : { ...row, host: { id, name: names.get(id) ?? id } };
    });
  }

  /** Returns true if another active host can continue the runs of this one. */
  async goesOnElsewhere(): Promise<boolean> {
    const { cluster } = this.cluster;
    const hosts = await cluster.hosts().catch(() => []);
    return hosts.some(({ id, state }) => id !== cluster.hostId && state === 'up');
  }

  close(): Promise<void> {
    return this.cluster.close();
  }
}
