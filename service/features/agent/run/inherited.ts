import { isDeepStrictEqual } from 'node:util';
import type { AgentPlan, StepExecution } from '../../../contract/index.ts';

/** What a run has from the one before it. */
export interface Inherited {
  /** Steps that are done and are not done again. */
  done: {
    index: number;
    result: unknown;
    cutBytes?: number;
    attempt: number;
    startedAt?: string;
    finishedAt?: string;
  }[];
  /** Steps of which nobody knows whether they were done. */
  unknown: readonly number[];
}

/** What the first `keep` executions of a run leave to the next one. */
export function inheritedFrom(executions: readonly StepExecution[], keep: number): Inherited {
  const retained = executions.slice(0, keep);
  return {
    done: retained
      .filter(({ status }) => status === 'completed')
      .map(({ index, result, cutBytes, attempt, startedAt, finishedAt }) => ({
        index,
        result,
        attempt,
        ...(cutBytes === undefined ? {} : { cutBytes }),
        ...(startedAt === undefined ? {} : { startedAt }),
        ...(finishedAt === undefined ? {} : { finishedAt }),
      })),
    unknown: retained.filter(({ status }) => status === 'unknown').map(({ index }) => index),
  };
}

export function inheritedEvents(
  inherited: Inherited = { done: [], unknown: [] },
): { type: string; data: Record<string, unknown> }[] {
  return [
    ...inherited.done.map((one) => ({ type: 'step_inherited', data: { ...one } })),
    ...inherited.unknown.map((index) => ({ type: 'step_unknown', data: { index } })),
  ];
}

/** The steps that are as they were, with all that they stand on. */
export function unchangedSteps(
  plan: AgentPlan,
  edited: AgentPlan,
  { done }: Inherited,
): Set<number> {
  const retained = new Set(
    done
      .map(({ index }) => index)
      .filter((index) => isSame(plan.steps[index], edited.steps[index])),
  );
  for (let before = -1; before !== retained.size;) {
    before = retained.size;
    for (const index of retained)
      if (edited.steps[index]?.dependsOn.some((target) => !retained.has(target)))
        retained.delete(index);
  }
  return retained;
}

function isSame(old: AgentPlan['steps'][number] | undefined, step: typeof old): boolean {
  if (!old || !step) return false;
  const made = ({ tool, arguments: args, dependsOn, when, id }: typeof old) => [
    ...[tool, args, [...dependsOn].sort(), when, id],
  ];
  return isDeepStrictEqual(made(old), made(step));
}
