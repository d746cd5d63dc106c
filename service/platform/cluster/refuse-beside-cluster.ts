import type { Database } from '../database/database.ts';
import { HostTable } from './host-table.ts';
import { clusterRefusal } from './refuse-cluster.ts';

/** As every host of a cluster does unless told otherwise. */
const lostAfterMs = 30_000;

/**
 * A host outside of the cluster would take the runs of the others for its own interrupted ones.
 * @throws HostError `cluster_up` while hosts of a cluster are up on the database
 */
export async function refuseBesideCluster(database: Database): Promise<void> {
  if (database.type !== 'POSTGRESQL') return;
  const table = new HostTable(database, lostAfterMs);
  if (!(await table.exists())) return;
  const others = (await table.all()).filter(({ state }) => state !== 'lost');
  if (others.length > 0) throw clusterRefusal.beside(others);
}
