import { Topic } from '../../core/topic.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseConfig } from '../database/database-config.ts';
import type { Log } from '../log.ts';
import { tryAdvisoryLock, withAdvisoryLock } from './advisory-lock.ts';
import { ClusterBus, clusterChannel, everything } from './cluster-bus.ts';
import {
  type AdvertisedTools,
  type ClusterHost,
  HostTable,
  type ToolSchemas,
} from './host-table.ts';
import { clusterRefusal } from './refuse-cluster.ts';
import { makeWakeTriggers } from './wake-triggers.ts';

/** Facts about a host for the others, and the time after which it counts as lost. */
export interface ClusterOptions {
  database: Database;
  config: DatabaseConfig;
  log: Log;
  hostId: string;
  name: string;
  version: string;
  /** Time without a heartbeat after which a host is lost, in ms. */
  lostAfterMs: number;
}

/** Heartbeats within the time after which a host is lost. */
const beatsUntilLost = 6;

/** The hosts that share this database, as seen from one of them. */
export class Cluster {
  readonly hostId: string;
  readonly name: string;
  readonly lostAfterMs: number;
  readonly config: DatabaseConfig;
  /** Published with the name of a table that another host may have changed; `*`: all. */
  readonly tableChanged = new Topic<string>();
  /** Published with the id of a run whose row or events changed; `*`: any. */
  readonly runChanged = new Topic<string>();
  /** Published with the id of a run that has a new request or answer; `*`: any. */
  readonly requested = new Topic<string>();
  /** Published with the id of a run that a client of any host is following. */
  readonly watching = new Topic<string>();
  /** Published after each heartbeat. */
  readonly beat = new Topic<undefined>();
  private readonly options: ClusterOptions;
  private readonly table: HostTable;
  private readonly bus: ClusterBus;
  private timer: NodeJS.Timeout | undefined;
  private pendingHeartbeat: Promise<void> | null = null;
  private draining = false;
  private closed = false;

  constructor(options: ClusterOptions) {
    this.options = options;
    this.hostId = options.hostId;
    this.name = options.name;
    this.lostAfterMs = options.lostAfterMs;
    this.config = options.config;
    this.table = new HostTable(options.database, options.lostAfterMs);
    this.bus = new ClusterBus(options.config, (what, error) =>
      options.log.warn('database', `${what}: ${String(error)}`),
    );
    this.bus.woken.subscribe((payload) => this.wake(payload));
  }

  /** @throws HostError `cluster_versions` while hosts of another version are up */
  async refuseOtherVersions(): Promise<void> {
    const { version } = this.options;
    if (!(await this.table.exists())) return;
    const others = (await this.table.all()).filter(
      (host) => host.id !== this.hostId && host.state !== 'lost' && host.version !== version,
    );
    if (others.length > 0) throw clusterRefusal.versions(version, others);
  }

  /** Joins the cluster; the schema must be up to date and the lock of migrations held. */
  async join(): Promise<void> {
    const { version, log } = this.options;
    await makeWakeTriggers(this.options.database);
    await this.bus.start();
    await this.table.register({ id: this.hostId, name: this.name, version });
    this.timer = setInterval(
      () => void this.sendHeartbeat(),
      this.lostAfterMs / beatsUntilLost,
    ).unref();
    log.info('database', `This host is ${this.name} (${this.hostId}) of the cluster`);
  }

  get isDraining(): boolean {
    return this.draining;
  }

  hosts(): Promise<ClusterHost[]> {
    return this.table.all();
  }

  /** Names by id, including hosts that have ended. */
  names(): Promise<Map<string, string>> {
    return this.table.names();
  }

  /** False for an unknown host. */
  async drain(id: string): Promise<boolean> {
    if (!(await this.table.setState(id, 'draining'))) return false;
    if (id === this.hostId) this.draining = true;
    return true;
  }

  setTools(tools: AdvertisedTools): Promise<void> {
    return this.table.setTools(this.hostId, tools);
  }

  /** The tools with these names of other hosts that are up; the first host takes precedence. */
  async toolsOfOtherHosts(names: readonly string[]): Promise<ToolSchemas> {
    const found: Record<string, ToolSchemas[string]> = {};
    for (const { id, state, tools } of await this.hosts()) {
      const missing = names.filter(
        (name) => found[name] === undefined && Object.hasOwn(tools, name),
      );
      if (state !== 'up' || id === this.hostId || missing.length === 0) continue;
      const schemas = await this.table.schemas(id);
      for (const name of missing) if (schemas[name]) found[name] = schemas[name];
    }
    return found;
  }

  /** Runs `work` under a lock that only one host can hold. */
  lock<T>(work: () => Promise<T>): Promise<T> {
    return withAdvisoryLock(this.config, work);
  }

  /** Like `lock`, but resolves with null immediately if another host has the lock. */
  tryLock<T>(work: () => Promise<T>): Promise<T | null> {
    return tryAdvisoryLock(this.config, work);
  }

  async watched(runId: string): Promise<void> {
    await this.options.database.select('SELECT pg_notify($1, $2)', [
      clusterChannel,
      `watch:${runId}`,
    ]);
  }

  private wake(payload: string): void {
    const [kind, about = everything] = payload.split(':', 2);
    if (kind === 'table' || kind === everything) this.tableChanged.publish(about);
    // Another host may have set a new state.
    if (about === 'cluster_hosts' || kind === everything) void this.sendHeartbeat();
    if (kind === 'run' || kind === everything) this.runChanged.publish(about);
    if (kind === 'watch') this.watching.publish(about);
    if (kind === 'request' || kind === everything) this.requested.publish(about);
  }

  private async sendHeartbeat(): Promise<void> {
    if (this.closed || this.pendingHeartbeat !== null) return;
    this.pendingHeartbeat = this.storeHeartbeat();
    await this.pendingHeartbeat;
    this.pendingHeartbeat = null;
  }

  private async storeHeartbeat(): Promise<void> {
    try {
      const state = await this.table.beat(this.hostId, this.bus);
      this.draining = state === 'draining';
      this.beat.publish(undefined);
    } catch (error) {
      this.options.log.warn('database', `The sign of life could not be stored: ${String(error)}`);
    }
  }

  /** Leaves the cluster, so that the others do not wait for heartbeats. */
  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await this.pendingHeartbeat;
    await this.table.setState(this.hostId, 'gone').catch(() => false);
    await this.bus.close();
  }
}
