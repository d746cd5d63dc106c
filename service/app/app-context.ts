import type { Topic } from '../core/topic.ts';
import type { SetupServiceOptions } from '../features/setup/index.ts';
import type { TicketRegistry } from '../http/access.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { DataSourceFile } from '../platform/database/data-source-file.ts';
import type { Cluster } from '../platform/cluster/cluster.ts';
import type { ClusterKey } from '../platform/cluster/cluster-key.ts';
import type { Snapshots } from '../platform/database/snapshots.ts';
import type { DeveloperAccess } from './developer-access.ts';
import type { HostOptions } from './options.ts';

/** Services and facts that live as long as the process, in SETUP and in APP mode. */
export interface AppContext extends Pick<
  HostOptions,
  | 'paths'
  | 'log'
  | 'logLevelFromLaunch'
  | 'desktop'
  | 'build'
  | 'resources'
  | 'properties'
  | 'sandboxPath'
  | 'trustsPlugins'
  | 'wallClock'
  | 'gateWaits'
> {
  /** The port of the server; 0 until it listens. */
  port: () => number;
  tickets: TicketRegistry;
  developer: DeveloperAccess;
  /** Encrypts what this machine stores in files. */
  secrets: Secrets;
  /** Encrypts what is stored in the database, with the cluster's key if hosts share it. */
  databaseSecrets: Secrets;
  /** Null if no cluster has used the database. */
  clusterKey: ClusterKey | null;
  /** The token and the machine key, hidden from commands and logs. */
  ownSecrets: readonly string[];
  dataSource: DataSourceFile;
  snapshots: Snapshots;
  setup: SetupServiceOptions;
  /** The hosts that share the database in APP mode; null for a single host. */
  cluster: Cluster | null;
  /** Published when the tools that the host offers over MCP may have changed. */
  toolsChanged: Topic<undefined>;
}
