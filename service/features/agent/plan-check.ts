import type { AgentPlan } from '../../contract/index.ts';
import { checkPlan } from './plan/check-plan.ts';
import type { RunPorts } from './run-ports.ts';
import type { RunOrder } from './runs/run-row.ts';

/**
 * Returns a check of plans against the tools available at that time.
 * @throws HostError 400 `invalid_plan`
 */
export const planCheck =
  ({ gate }: Pick<RunPorts, 'gate'>, { capabilityMode, inputNames = [] }: RunOrder) =>
  async (plan: AgentPlan): Promise<void> =>
    checkPlan(plan, {
      tools: await gate.tools.list(),
      inputs: new Set(inputNames),
      readOnly: capabilityMode === 'read-only',
    });
