/** Agent runs: plans from goals, approval, execution, resuming and forking. */
import type { Route } from '../../http/route.ts';
import type { Cluster } from '../../platform/cluster/cluster.ts';
import type { Database } from '../../platform/database/database.ts';
import type { WallClock } from '../../platform/wall-clock.ts';
import { AgentService } from './agent-service.ts';
import type { RunCluster, RunClusterOptions } from './cluster/run-cluster.ts';
import { RunResumer } from './resume-run.ts';
import { agentRoutes } from './routes.ts';
import type { RunPorts } from './run-ports.ts';
import { RunRetention } from './run-retention.ts';
import { recoverRuns } from './runs/recover-runs.ts';
import { RunStore } from './runs/run-store.ts';

/** Loaded only in a cluster. */
const openShared = async (options: RunClusterOptions): Promise<RunCluster> =>
  (await import('./cluster/run-cluster.ts')).RunCluster.open(options);

export { checkPlan } from './plan/check-plan.ts';
export { planProblems } from './plan/plan-problems.ts';
export type { NewRun } from './new-run.ts';
export type { RunOutcome as RunEnding } from './run/run-outcome.ts';
export type { RunOrder, RunRow } from './runs/run-row.ts';

/** The agent feature; `close` interrupts live runs and waits for their end. */
export interface AgentFeature {
  service: AgentService;
  routes: Route[];
  close(): Promise<void>;
}

interface CreateAgentOptions extends Omit<RunPorts, 'store' | 'shared'> {
  database: Database;
  /** Null on a single host. */
  cluster: Cluster | null;
  /** Returns the tools of this host, by name. */
  advertised: RunClusterOptions['tools'];
  clock: WallClock;
  /** Returns the days for which ended runs are stored; 0: forever. */
  retentionDays: () => number;
}

/** Creates the feature after marking runs that an earlier host left unfinished as interrupted. */
export async function createAgent(options: CreateAgentOptions): Promise<AgentFeature> {
  const { database, cluster, advertised: tools, log, clock, retentionDays: days } = options;
  const store = new RunStore(database, { fenced: cluster !== null });
  const shared = cluster && (await openShared({ cluster, database, store, log, tools }));
  // Hosts of a cluster find such runs themselves, and other hosts may continue them.
  if (shared === null) await recoverRuns(store);
  const ports = { ...options, store, ...(shared ? { shared } : {}) };
  const service = new AgentService(ports);
  const retention = new RunRetention({ store, clock, days, log });
  return {
    service,
    routes: agentRoutes(service, new RunResumer(ports, service)),
    async close() {
      await retention.close();
      await service.close();
    },
  };
}
