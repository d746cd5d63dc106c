import type { RunState } from '../agent/run-state.ts';
import type { StepExecution } from '../../../service/contract/index.ts';
import { elementsOf, executionsOfSteps } from '../agent/elements.ts';

/** The state of one step of a graph in a run. */
export interface StepView extends StepExecution {
  title: string;
  tool: string;
  /** The output of the step while it runs. */
  progress: string;
  /** Elements of a step with `forEach`. */
  elements: readonly StepExecution[];
}

/** Returns the steps of a run by the id of their node, in the order of the plan. */
export function stepViews({ details, progress }: RunState): Map<string, StepView> {
  const executions = new Map(executionsOfSteps(details.executions).map((one) => [one.index, one]));
  return new Map(
    (details.plan?.steps ?? []).map((step, index): [string, StepView] => {
      const id = step.id ?? `step-${index}`;
      const execution = executions.get(index) ?? {
        index,
        stepId: id,
        status: 'pending',
        attempt: 0,
      };
      const { title, tool } = step;
      const elements = elementsOf(details.executions, index);
      return [id, { ...execution, title, tool, progress: progress[index] ?? '', elements }];
    }),
  );
}

/** Returns how long a step took, in milliseconds; null if it is not over. */
export function durationOf({ startedAt, finishedAt }: StepExecution): number | null {
  if (startedAt === undefined || finishedAt === undefined) return null;
  return Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
}
