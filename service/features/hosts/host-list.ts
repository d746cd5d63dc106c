import type { ClusterHost } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import type { Cluster } from '../../platform/cluster/cluster.ts';

/** The facts of a host that is not in a cluster. */
export interface OwnHost {
  name: string;
  version: string;
  startedAt: Date;
}

/** The id of a host that is not in a cluster. */
const single = 'single';

/** Lists the hosts that share the database. */
export class HostList {
  private readonly options: {
    cluster: Cluster | null;
    own: OwnHost;
    running: () => Promise<ReadonlyMap<string, string[]>>;
  };

  constructor(options: HostList['options']) {
    this.options = options;
  }

  /** Oldest first. */
  async list(): Promise<ClusterHost[]> {
    const { cluster, own } = this.options;
    const running = await this.options.running();
    if (cluster === null) {
      const startedAt = own.startedAt.toISOString();
      const times = { startedAt, lastSeenAt: new Date().toISOString() };
      const { name, version } = own;
      const ids = [...running.values()].flat();
      return [{ id: single, name, version, ...times, state: 'up', running: ids, self: true }];
    }
    return (await cluster.hosts()).map(({ startedAt, lastSeenAt, tools: _, ...host }) => ({
      ...host,
      startedAt: startedAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      running: running.get(host.id) ?? [],
      self: host.id === cluster.hostId,
    }));
  }

  /** @throws HostError 404 `unknown_host`, 409 `not_clustered` */
  async drain(id: string): Promise<ClusterHost> {
    const { cluster } = this.options;
    if (!(await this.isListed(id))) throw unknown();
    if (cluster === null) throw notClustered();
    if (!(await cluster.drain(id))) throw unknown();
    const host = (await this.list()).find((one) => one.id === id);
    return host ?? Promise.reject(unknown());
  }

  private async isListed(id: string): Promise<boolean> {
    return (await this.list()).some((host) => host.id === id);
  }
}

export const notClustered = (): HostError =>
  new HostError('conflict', 'not_clustered', msg('cluster.notClustered'));

const unknown = (): HostError =>
  new HostError('missing', 'unknown_host', msg('cluster.unknownHost'));
