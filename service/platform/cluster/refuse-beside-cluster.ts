import type { Database } from '../database/database.ts';
import { HostTable } from './host-table.ts';
import { clusterRefusal } from './refuse-cluster.ts';

/** The default of hosts in a cluster. */
const lostAfterMs = 30_000;

/**
 * A host outside the cluster would treat the runs of the others as its own interrupted ones.
 * @throws HostError `cluster_up` while hosts of a cluster are up on the database
 */
export async function refuseBesideCluster(database: Database): Promise<void> {
  if (database.type !== 'POSTGRESQL') return;
  const table = new HostTable(database, lostAfterMs);
  if (!(await table.exists())) return;
  const others = (await table.all()).filter(({ state }) => state !== 'lost');
  if (others.length > 0) throw clusterRefusal.beside(others);
}
