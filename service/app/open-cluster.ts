import { hostname } from 'node:os';
import { hostVersion } from '../contract/index.ts';
import type { Cluster } from '../platform/cluster/cluster.ts';
import { clusterRefusal } from '../platform/cluster/refuse-cluster.ts';
import type { Database } from '../platform/database/database.ts';
import type { DatabaseConfig } from '../platform/database/database-config.ts';
import type { AppContext } from './app-context.ts';
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

/**
 * The secrets of the database: on a shared one encrypted with the cluster's key. The schema must be
 * up to date.
 */
export async function databaseSecrets(
  { secrets, log, paths }: Pick<AppContext, 'secrets' | 'log' | 'paths'>,
  database: Database,
  cluster: Cluster | null,
): Promise<Pick<AppContext, 'databaseSecrets' | 'clusterKey'>> {
  if (database.type !== 'POSTGRESQL') return { databaseSecrets: secrets, clusterKey: null };
  const { ClusterKey } = await import('../platform/cluster/cluster-key.ts');
  const { readHostId } = await import('../platform/cluster/host-identity.ts');
  const options = {
    database,
    machine: secrets,
    hostId: () => readHostId(paths.hostId),
    hide: (secret: string) => log.hide(secret),
  };
  const clusterKey = cluster
    ? await ClusterKey.open(options)
    : await ClusterKey.openExisting(options);
  return { databaseSecrets: clusterKey?.secrets ?? secrets, clusterKey };
}

/** Migrations, seeding and the first sweeps run on one host at a time. */
export const exclusively = <T>(cluster: Cluster | null, work: () => Promise<T>): Promise<T> =>
  cluster === null ? work() : cluster.lock(work);
