import type { AgentPlan } from '../../contract/index.ts';
import { checkPlan } from './plan/check-plan.ts';
import type { RunPorts } from './run-ports.ts';
import type { RunOrder } from './runs/run-row.ts';

/**
 * Returns a check of plans against the current tools of all active hosts.
 * @throws HostError 400 `invalid_plan`
 */
export const planCheck =
  (
    { gate, shared }: Pick<RunPorts, 'gate' | 'shared'>,
    { capabilityMode, inputNames = [] }: RunOrder,
  ) =>
  async (plan: AgentPlan): Promise<void> => {
    const own = await gate.tools.list();
    const names = new Set(own.map(({ name }) => name));
    const missing = plan.steps.map(({ tool }) => tool).filter((name) => !names.has(name));
    const others = shared && missing.length > 0 ? await shared.toolsElsewhere(missing) : [];
    await checkPlan(plan, {
      tools: [...own, ...others],
      inputs: new Set(inputNames),
      readOnly: capabilityMode === 'read-only',
    });
  };
