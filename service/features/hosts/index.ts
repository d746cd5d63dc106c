/** The hosts that share the database: their state, their runs, and draining one. */
import type { Route } from '../../http/route.ts';
import type { Cluster } from '../../platform/cluster/cluster.ts';
import type { ClusterKey } from '../../platform/cluster/cluster-key.ts';
import { HostList, type OwnHost } from './host-list.ts';
import { hostRoutes } from './routes.ts';

/** The hosts feature. */
export interface HostsFeature {
  routes: Route[];
}

/** `cluster` is null on a single host, which lists itself. */
export function createHosts(options: {
  cluster: Cluster | null;
  /** Null if no cluster has used the database. */
  key: ClusterKey | null;
  /** Called when the key has been entered, so that secrets are read again. */
  onKey: () => Promise<void>;
  own: OwnHost;
  /** Returns the ids of unended runs by the id of the host that executes them; '' for this one. */
  running: () => Promise<ReadonlyMap<string, string[]>>;
}): HostsFeature {
  return { routes: hostRoutes(new HostList(options), options) };
}
