import type { Channel } from '../../../core/channel.ts';
import type { StreamEvent } from '../../../http/reply.ts';
import type { AdvertisedTools } from '../../../platform/cluster/host-table.ts';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { PlanTool } from '../plan/check-plan.ts';
import type { RunOutcome } from '../run/run-outcome.ts';
import type { RunRow } from '../runs/run-row.ts';
import type { RunStore } from '../runs/run-store.ts';
import { ClusterQueue } from './cluster-queue.ts';
import { RemoteRun } from './remote-run.ts';
import { RunClaims } from './run-claims.ts';
import { RunRequests, type RunRequestBody } from './run-requests.ts';

/** The parts of a host that its share of the runs depends on. */
export interface RunClusterOptions {
  cluster: Cluster;
  database: Database;
  store: RunStore;
  log: Log;
  /** Returns the tools of this host, by name. */
  tools: () => Promise<AdvertisedTools>;
}

/** The agent service as the cluster calls it. */
export interface LocalRuns {
  isLive: (runId: string) => boolean;
  liveIds: () => string[];
  /** Called when a person watches the run on another host. */
  seen: (runId: string) => void;
  /** Called when another host has the run. */
  lost: (runId: string) => void;
  act: (runId: string, body: RunRequestBody) => Promise<unknown>;
}

/**
 * The runs of all hosts from the view of one of them: who owns which, and how to follow and control
 * them.
 */
export class RunCluster {
  readonly queue: ClusterQueue;
  readonly claims: RunClaims;
  readonly cluster: Cluster;
  private readonly options: RunClusterOptions;
  private readonly remote = new Map<string, { run: RemoteRun; users: number }>();
  private readonly unsubscribe: (() => void)[] = [];
  private requests: RunRequests | null = null;
  private local: LocalRuns | null = null;
  private sweeping: Promise<void> | null = null;
  private advertised = '';

  private constructor(options: RunClusterOptions, claims: RunClaims, queue: ClusterQueue) {
    this.options = options;
    this.cluster = options.cluster;
    this.claims = claims;
    this.queue = queue;
  }

  static async open(options: RunClusterOptions): Promise<RunCluster> {
    const { cluster, database, store, log } = options;
    const claims = new RunClaims(database, cluster);
    const queue = await ClusterQueue.open({
      cluster,
      claims,
      log,
      hostFor: (runId) => hostFor(runId, { store, cluster, own: () => versionsOf(options) }),
    });
    return new RunCluster(options, claims, queue);
  }

  toolVersions(): Promise<Readonly<Record<string, string>>> {
    return versionsOf(this.options);
  }

  /** Returns the tools with these names that other active hosts have. */
  async toolsElsewhere(names: readonly string[]): Promise<PlanTool[]> {
    const found = Object.entries(await this.cluster.toolsOfOtherHosts(names));
    return found.map(([name, tool]) => ({
      name,
      ...tool,
      effect: tool.effect as PlanTool['effect'],
    }));
  }

  /** Starts taking runs, serving other hosts and looking for lost runs. */
  async start(local: LocalRuns): Promise<void> {
    const { cluster, database } = this.options;
    this.local = local;
    this.requests = new RunRequests({
      cluster,
      database,
      isMine: local.isLive,
      act: local.act,
      onError: this.onError,
    });
    this.unsubscribe.push(
      cluster.runChanged.subscribe((runId) => this.wake(runId)),
      cluster.watching.subscribe((runId) => local.seen(runId)),
      cluster.beat.subscribe(() => void this.sweep()),
    );
    await this.advertise();
    await this.queue.start();
    void this.sweep();
  }

  /** Follows a run of another host; `leave` must be called once. */
  follow(
    runId: string,
    channel: Channel<StreamEvent> | null = null,
  ): { run: RemoteRun; leave: () => void } {
    const entry = this.remote.get(runId) ?? {
      run: new RemoteRun(runId, this.options.store, channel),
      users: 0,
    };
    this.remote.set(runId, entry);
    entry.users += 1;
    void entry.run.read().catch((error: unknown) => this.onError('A run was not read', error));
    const leave = (): void => {
      entry.users -= 1;
      if (entry.users === 0 && this.remote.get(runId) === entry) this.remote.delete(runId);
    };
    return { run: entry.run, leave };
  }

  /** Tells the host of a run that a person watches it here, which restarts its time limits. */
  async watched(runId: string): Promise<void> {
    await this.cluster.watched(runId);
  }

  /** Resolves with the outcome of a run, wherever it is executed. */
  async outcome(runId: string, channel: Channel<StreamEvent> | null = null): Promise<RunOutcome> {
    const { run, leave } = this.follow(runId, channel);
    return run.ended.finally(leave);
  }

  /** Returns the stream of the client that started the run on this host; null if there is none. */
  takeChannel(runId: string): Channel<StreamEvent> | null {
    return this.remote.get(runId)?.run.takeChannel() ?? null;
  }

  ask(runId: string, body: RunRequestBody): Promise<unknown> {
    if (this.requests === null) throw new Error('The cluster has not started.');
    return this.requests.ask(runId, body);
  }

  /** Called when this host starts to execute the run. */
  opened(runId: string): void {
    this.requests?.catchUp(runId);
  }

  private wake(runId: string): void {
    const followed =
      runId === '*' ? [...this.remote.values()] : [this.remote.get(runId) ?? []].flat();
    for (const { run } of followed)
      run.read().catch((error: unknown) => this.onError('A run was not read', error));
  }

  private readonly onError = (what: string, error: unknown): void =>
    this.options.log.error('agent', what, error);

  /** Finds runs that no host executes, at each heartbeat of this host. */
  private async sweep(): Promise<void> {
    if (this.sweeping !== null) return;
    this.sweeping = this.sweepOnce().catch((error: unknown) =>
      this.options.log.warn(
        'agent',
        `Runs of lost hosts could not be looked for: ${String(error)}`,
      ),
    );
    await this.sweeping;
    this.sweeping = null;
  }

  private async sweepOnce(): Promise<void> {
    const { queue, cluster } = this;
    if (queue.isClosed) return;
    await this.advertise();
    this.requests?.catchUp('*');
    if (cluster.isDraining) await queue.drain();
    await this.compareOwn();
    await this.queueOrphaned();
  }

  /** Gives up runs that another host has, and resumes those that this one lost in an outage. */
  private async compareOwn(): Promise<void> {
    const { claims, queue, local } = this;
    if (local === null) return;
    const live = local.liveIds();
    const mine = await claims.mine();
    const owned = new Set(mine.map(({ runId }) => runId));
    for (const runId of live.filter((id) => !owned.has(id))) local.lost(runId);
    for (const { runId } of mine) {
      if (local.isLive(runId) || queue.has(runId)) continue;
      const generation = await claims.claim(runId, true);
      if (generation !== null) queue.putHere(runId, generation);
    }
  }

  private async queueOrphaned(): Promise<void> {
    const { claims, queue } = this;
    if ((await claims.orphaned()).length === 0) return;
    await this.cluster.tryLock(async () => {
      for (const { runId, generation } of await claims.orphaned())
        await queue.putAgain(runId, generation);
    });
  }

  private async advertise(): Promise<void> {
    const tools = await this.options.tools();
    const text = JSON.stringify(tools);
    if (text === this.advertised) return;
    await this.cluster.setTools(tools);
    this.advertised = text;
  }

  /** Called once the queue is closed and the last run has ended. */
  async close(): Promise<void> {
    for (const one of this.unsubscribe) one();
    this.requests?.close();
    await this.sweeping;
    await this.queue.end();
  }
}

async function versionsOf({ tools }: RunClusterOptions): Promise<Record<string, string>> {
  const entries = Object.entries(await tools());
  return Object.fromEntries(entries.map(([name, { version }]) => [name, version]));
}

/**
 * Returns the host that has all tools of the run in their versions, preferably this one; null if
 * there is none.
 */
async function hostFor(
  runId: string,
  about: {
    store: RunStore;
    cluster: Cluster;
    own: () => Promise<Readonly<Record<string, string>>>;
  },
): Promise<string | null> {
  const { store, cluster, own } = about;
  const row = await store.find(runId);
  const needed = neededTools(row);
  const hasAll = (tools: Readonly<Record<string, string>>): boolean =>
    Object.entries(needed).every(
      ([name, version]) =>
        Object.hasOwn(tools, name) && (version === '' || tools[name] === version),
    );
  if (hasAll(await own())) return cluster.hostId;
  const others = await cluster.hosts();
  return others.find(({ state, tools }) => state === 'up' && hasAll(tools))?.id ?? null;
}

/** Versions by name; '' for a tool whose version was not recorded. */
function neededTools(row: RunRow | null): Record<string, string> {
  const names = new Set((row?.plan?.steps ?? []).map(({ tool }) => tool));
  const versions = row?.request.handover?.tools ?? {};
  return Object.fromEntries([...names].map((name) => [name, versions[name] ?? '']));
}
