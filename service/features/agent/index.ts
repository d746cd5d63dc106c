/** Agents: goals become plans, plans become runs that a person may edit, approve, stop and go on with. */
import type { Route } from '../../http/route.ts';
import type { Database } from '../../platform/database/database.ts';
import { AgentDesk } from './agent-desk.ts';
import { GoingOn } from './going-on.ts';
import { agentRoutes } from './routes.ts';
import type { RunPorts } from './run-ports.ts';
import { recoverRuns } from './runs/recover-runs.ts';
import { RunStore } from './runs/run-store.ts';

export { checkPlan } from './plan/check-plan.ts';
export { planProblems } from './plan/plan-problems.ts';
export type { NewRun } from './new-run.ts';
export type { RunEnding } from './run/run-ending.ts';
export type { RunOrder, RunRow } from './runs/run-row.ts';

export interface AgentFeature {
  desk: AgentDesk;
  routes: Route[];
  close(): Promise<void>;
}

/** What the last host left unfinished is told as interrupted before anything begins. */
export async function createAgent(
  options: Omit<RunPorts, 'store'> & { database: Database },
): Promise<AgentFeature> {
  const store = new RunStore(options.database);
  await recoverRuns(store);
  const desk = new AgentDesk({ ...options, store });
  return {
    desk,
    routes: agentRoutes(desk, new GoingOn({ ...options, store }, desk)),
    close: () => desk.close(),
  };
}
