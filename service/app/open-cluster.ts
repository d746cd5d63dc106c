import { hostname } from 'node:os';
import { hostVersion } from '../contract/index.ts';
import type { Cluster } from '../platform/cluster/cluster.ts';
import { clusterRefusal } from '../platform/cluster/refuse-cluster.ts';
import type { Database } from '../platform/database/database.ts';
import type { DatabaseConfig } from '../platform/database/database-config.ts';
import type { HostOptions } from './options.ts';

/** @throws HostError `cluster_database` if a cluster cannot share that database */
export function requireClusterDatabase(
  { cluster }: HostOptions['properties'],
  type: DatabaseConfig['type'],
): void {
  if (cluster !== null && type !== 'POSTGRESQL') throw clusterRefusal.database(type);
}

/** Null for a single host, which loads no cluster code. */
export async function openCluster(
  { properties, paths, log, version = hostVersion }: HostOptions,
  database: Database,
  config: DatabaseConfig,
): Promise<Cluster | null> {
  if (properties.cluster === null) return null;
  const { Cluster: Made } = await import('../platform/cluster/cluster.ts');
  const { readHostId } = await import('../platform/cluster/host-identity.ts');
  const { name, lostAfterMs } = properties.cluster;
  return new Made({
    database,
    config,
    log,
    hostId: await readHostId(paths.hostId),
    name: name ?? hostname(),
    version,
    lostAfterMs,
  });
}

/** Migrations, seeding and the first sweeps run on one host at a time. */
export const exclusively = <T>(cluster: Cluster | null, work: () => Promise<T>): Promise<T> =>
  cluster === null ? work() : cluster.lock(work);
