import type { PgBoss } from 'pg-boss';
import { HostError, hostClosing } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { pgOptions } from '../../../platform/database/pg-session.ts';
import type { Log } from '../../../platform/log.ts';
import type { RunLease, RunQueue } from '../queue/run-queue.ts';
import { jobIdOf, type RunClaims } from './run-claims.ts';

/** The schema that pg-boss creates and migrates. */
export const queueSchema = 'plugin_host_queue';
const anyHost = 'runs';
/** Maximum number of cluster runs per active host. */
const maxRunsEach = 100;
const queueOf = (hostId: string): string => `runs.${hostId}`;
/** Delay before a failed job is offered again. */
const againMs = 30_000;
/** Interval for wake-ups that came while a worker was busy, and for retried jobs. */
const pollingSeconds = 1;
/** Delay of a run whose host dies between taking the job and claiming the run. */
const expireSeconds = 60;
const defaultJobOptions = {
  expireInSeconds: expireSeconds,
  retryLimit: 1_000,
  retryDelay: 1,
  deleteAfterSeconds: 3_600,
};

/** Dependencies of the queue of a cluster. */
export interface ClusterQueueOptions {
  cluster: Cluster;
  claims: RunClaims;
  log: Log;
  /**
   * Returns the host that has the tools of the run, preferably this one; null: no active host has
   * them.
   */
  hostFor: (runId: string) => Promise<string | null>;
}

type Taker = (lease: RunLease | null) => void;

/**
 * Distributes runs over the hosts with pg-boss. A job only says that a run is pending: the host
 * that claims the row of the run owns it, so a duplicate job does no harm.
 */
export class ClusterQueue implements RunQueue {
  private readonly options: ClusterQueueOptions;
  private readonly boss: PgBoss;
  private readonly leased = new Set<string>();
  private readonly pending: RunLease[] = [];
  private readonly takers: Taker[] = [];
  private free = Promise.withResolvers<void>();
  private closed = false;

  get isClosed(): boolean {
    return this.closed;
  }

  private constructor(options: ClusterQueueOptions, boss: PgBoss) {
    this.options = options;
    this.boss = boss;
  }

  /** @throws HostError `cluster_schema` if the database user may not create the schema */
  static async open(options: ClusterQueueOptions): Promise<ClusterQueue> {
    const { PgBoss: Made } = await import('pg-boss');
    const boss = new Made({
      ...(await pgOptions(options.cluster.config)),
      schema: queueSchema,
      max: 4,
      schedule: false,
      useListenNotify: true,
      application_name: 'plugin-host-queue',
    });
    const { log } = options;
    boss.on('error', (error) => log.warn('agent', `The queue reports: ${String(error)}`));
    try {
      await boss.start();
    } catch (error) {
      if ((error as { code?: string }).code === '42501') throw noSchema(error);
      throw error;
    }
    await boss.createQueue(anyHost, { ...defaultJobOptions, notify: true });
    await boss.createQueue(queueOf(options.cluster.hostId), { ...defaultJobOptions, notify: true });
    return new ClusterQueue(options, boss);
  }

  /** Starts taking runs; called once the rest of the host is ready. */
  async start(): Promise<void> {
    const work = {
      pollingIntervalSeconds: pollingSeconds,
      notifyPollingIntervalSeconds: pollingSeconds,
      batchSize: 1,
    };
    for (const name of [anyHost, queueOf(this.options.cluster.hostId)])
      await this.boss.work<{ runId: string }>(name, work, async ([job]) => {
        if (job !== undefined) await this.offer(job.data.runId);
      });
  }

  /** Takes no more runs; active ones continue. */
  async drain(): Promise<void> {
    await this.boss.offWork(anyHost, { wait: false });
  }

  async requireCapacity(count: number): Promise<void> {
    if (this.closed) throw hostClosing();
    const { runs, hosts } = await this.options.claims.load();
    const most = maxRunsEach * Math.max(hosts, 1);
    if (runs + count <= most) return;
    throw new HostError('conflict', 'too_many_runs', msg('run.tooMany', { count: most }));
  }

  /** Queues a run without an owner. */
  async put(runId: string): Promise<void> {
    if (this.closed) throw hostClosing();
    await this.boss.send(anyHost, { runId }, { id: jobIdOf(runId, 'new') });
  }

  /**
   * Queues a run whose owner is gone; if several hosts find it at the same time, it is queued once.
   */
  async putAgain(runId: string, generation: number): Promise<void> {
    const turn = `${generation} ${Math.floor(Date.now() / againMs)}`;
    await this.boss.send(anyHost, { runId }, { id: jobIdOf(runId, turn) });
  }

  /** Queues a run that this host already owns and must execute itself. */
  putHere(runId: string, generation: number): void {
    if (this.closed) throw hostClosing();
    this.hand(this.lease(runId, generation));
  }

  /** Returns true if this host has taken the run from the queue. */
  has(runId: string): boolean {
    return this.leased.has(runId);
  }

  take(): Promise<RunLease | null> {
    const next = this.pending.shift();
    if (next !== undefined) return Promise.resolve(next);
    if (this.closed) return Promise.resolve(null);
    return new Promise((resolve) => this.takers.push(resolve));
  }

  close(): void {
    this.closed = true;
    this.free.resolve();
    for (const taker of this.takers.splice(0)) taker(null);
  }

  /** Closes the connections of the queue, after the last run has ended. */
  async end(): Promise<void> {
    await this.boss.stop({ graceful: false, close: true });
  }

  /** Rejects if this host does not take the run, so that another one is offered it. */
  private async offer(runId: string): Promise<void> {
    const { claims, cluster, hostFor } = this.options;
    while (this.leased.size >= maxRunsEach && !this.closed) await this.free.promise;
    if (this.closed || cluster.isDraining) throw notHere();
    const hostId = await hostFor(runId);
    if (hostId === null) throw notHere();
    if (hostId !== cluster.hostId) {
      await this.boss.send(queueOf(hostId), { runId });
      return;
    }
    const generation = await claims.claim(runId, false);
    if (generation !== null) return this.hand(this.lease(runId, generation));
    if (!(await claims.mayTake())) throw notHere();
  }

  private hand(lease: RunLease): void {
    const taker = this.takers.shift();
    if (taker) taker(lease);
    else this.pending.push(lease);
  }

  private lease(runId: string, generation: number): RunLease {
    this.leased.add(runId);
    return {
      runId,
      keepAlive: () => this.options.claims.isMine(runId, generation),
      finish: () => {
        this.leased.delete(runId);
        this.free.resolve();
        this.free = Promise.withResolvers();
        return Promise.resolve();
      },
    };
  }
}

const notHere = (): Error => new Error('This host does not take the run.');

const noSchema = (cause: unknown): HostError =>
  new HostError(
    'unprocessable',
    'cluster_schema',
    msg('cluster.noSchema', { schema: queueSchema }),
    {
      cause,
    },
  );
