/** Agent runs: plans from goals, approval, execution, resuming and forking. */
import type { Route } from '../../http/route.ts';
import type { Database } from '../../platform/database/database.ts';
import type { WallClock } from '../../platform/wall-clock.ts';
import { AgentService } from './agent-service.ts';
import { RunResumer } from './resume-run.ts';
import { agentRoutes } from './routes.ts';
import type { RunPorts } from './run-ports.ts';
import { RunRetention } from './run-retention.ts';
import { recoverRuns } from './runs/recover-runs.ts';
import { RunStore } from './runs/run-store.ts';

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

interface CreateAgentOptions extends Omit<RunPorts, 'store'> {
  database: Database;
  clock: WallClock;
  /** Days for which ended runs are kept; 0: for good. */
  retentionDays: () => number;
}

/**
 * Creates the feature after runs that an earlier host left unfinished are marked as interrupted.
 */
export async function createAgent(options: CreateAgentOptions): Promise<AgentFeature> {
  const store = new RunStore(options.database);
  await recoverRuns(store);
  const service = new AgentService({ ...options, store });
  const { clock, retentionDays: days, log } = options;
  const retention = new RunRetention({ store, clock, days, log });
  return {
    service,
    routes: agentRoutes(service, new RunResumer({ ...options, store }, service)),
    async close() {
      await retention.close();
      await service.close();
    },
  };
}
