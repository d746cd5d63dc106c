import { isDeepStrictEqual } from 'node:util';
import type { AgentPlan, StepExecution } from '../../../contract/index.ts';
import type { StepPosition } from './step-context.ts';
import { resultOf } from './step-values.ts';

/** Results that a run takes over from an earlier one. */
export interface Inherited {
  /** Completed steps and elements, which are not repeated. */
  done: (StepPosition & {
    /** Length of the list of a step with `forEach`. */
    elementCount?: number;
    result?: unknown;
    cutBytes?: number;
    attempt: number;
    startedAt?: string;
    finishedAt?: string;
  })[];
  /** Steps and elements that may have completed, for example before a crash. */
  unknown: readonly StepPosition[];
}

/** Collects the results of the first `keep` steps for the next run. */
export function inheritedFrom(executions: readonly StepExecution[], keep: number): Inherited {
  const retained = executions.filter(({ index }) => index < keep);
  const counts = new Map(
    retained.flatMap(({ index, elementCount }) =>
      elementCount === undefined ? [] : [[index, elementCount] as const],
    ),
  );
  return {
    done: retained
      .filter(({ status }) => status === 'completed')
      .map(({ index, element, result, cutBytes, attempt, startedAt, finishedAt }) => {
        const elementCount = counts.get(index);
        // The list of results is rebuilt from the elements.
        const isList = elementCount !== undefined && element === undefined;
        return {
          index,
          ...(element === undefined ? {} : { element }),
          ...(elementCount === undefined ? {} : { elementCount }),
          ...(isList ? {} : { result }),
          attempt,
          ...(cutBytes === undefined ? {} : { cutBytes }),
          ...(startedAt === undefined ? {} : { startedAt }),
          ...(finishedAt === undefined ? {} : { finishedAt }),
        };
      }),
    unknown: retained
      .filter(({ status }) => status === 'unknown')
      .map(({ index, element }) => (element === undefined ? { index } : { index, element })),
  };
}

/**
 * Returns the results without those of a step and of all steps that depend on it, directly or
 * indirectly.
 */
export function withoutStep({ steps }: AgentPlan, from: number, inherited: Inherited): Inherited {
  const again = new Set([from]);
  for (let before = 0; before !== again.size;) {
    before = again.size;
    for (const [index, { dependsOn }] of steps.entries())
      if (dependsOn.some((target) => again.has(target))) again.add(index);
  }
  const isRetained = ({ index }: StepPosition): boolean => !again.has(index);
  return { done: inherited.done.filter(isRetained), unknown: inherited.unknown.filter(isRetained) };
}

/** The events that record inherited results at the start of a run. */
export function inheritedEvents(
  inherited: Inherited = { done: [], unknown: [] },
): { type: string; data: Record<string, unknown> }[] {
  return [
    ...inherited.done.map((one) => ({ type: 'step_inherited', data: { ...one } })),
    ...inherited.unknown.map((position) => ({ type: 'step_unknown', data: { ...position } })),
  ];
}

/** The inherited results as a plan gate lists them. */
export function inheritedIndexes({ done, unknown }: Inherited = { done: [], unknown: [] }): {
  completed: number[];
  unknown: number[];
  completedElements?: { index: number; elements: number[]; elementCount: number }[];
} {
  const wholeOf = (positions: readonly StepPosition[]): number[] =>
    positions.filter(({ element }) => element === undefined).map(({ index }) => index);
  const completed = wholeOf(done);
  const open = new Map<number, { index: number; elements: number[]; elementCount: number }>();
  for (const { index, element, elementCount = 0 } of done) {
    if (element === undefined || completed.includes(index)) continue;
    const ofStep = open.get(index) ?? { index, elements: [], elementCount };
    ofStep.elements.push(element);
    open.set(index, ofStep);
  }
  return {
    completed,
    unknown: wholeOf(unknown),
    ...(open.size === 0 ? {} : { completedElements: [...open.values()] }),
  };
}

/** Results of the earlier run by index; those of steps with `forEach` are lists. */
export function inheritedResults({ done }: Inherited = { done: [], unknown: [] }): {
  results: Map<number, unknown>;
  elements: Map<number, Map<number, unknown>>;
} {
  const elements = new Map<number, Map<number, unknown>>();
  for (const { index, element, result, cutBytes } of done) {
    if (element === undefined) continue;
    const ofStep = elements.get(index) ?? new Map<number, unknown>();
    elements.set(index, ofStep.set(element, resultOf(result, cutBytes)));
  }
  const whole = done.filter(({ element }) => element === undefined);
  const results = whole.map(({ index, elementCount, result, cutBytes }) => {
    const listOf = (length: number): unknown[] =>
      Array.from({ length }, (_, element) => elements.get(index)?.get(element) ?? null);
    const value = elementCount === undefined ? resultOf(result, cutBytes) : listOf(elementCount);
    return [index, value] as const;
  });
  return { results: new Map(results), elements };
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
  const made = ({ tool, arguments: args, dependsOn, when, id, forEach }: typeof old) => [
    ...[tool, args, [...dependsOn].sort(), when, id, forEach],
  ];
  return isDeepStrictEqual(made(old), made(step));
}
