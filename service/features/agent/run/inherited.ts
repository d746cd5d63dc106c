import { isDeepStrictEqual } from 'node:util';
import type { AgentPlan, StepExecution } from '../../../contract/index.ts';

/** Results that a run takes over from an earlier one. */
export interface Inherited {
  /** Completed steps, which are not repeated. */
  done: {
    index: number;
    result: unknown;
    cutBytes?: number;
    attempt: number;
    startedAt?: string;
    finishedAt?: string;
  }[];
  /** Indexes of steps whose completion is uncertain, for example after a crash. */
  unknown: readonly number[];
}

/** Collects the results of the first `keep` executions for the next run. */
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

/** The events that record inherited results at the start of a run. */
export function inheritedEvents(
  inherited: Inherited = { done: [], unknown: [] },
): { type: string; data: Record<string, unknown> }[] {
  return [
    ...inherited.done.map((one) => ({ type: 'step_inherited', data: { ...one } })),
    ...inherited.unknown.map((index) => ({ type: 'step_unknown', data: { index } })),
  ];
}

/** Indexes of steps that are unchanged together with all their prerequisites. */
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
