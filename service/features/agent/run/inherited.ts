import { isDeepStrictEqual } from 'node:util';
import type { AgentPlan, StepExecution } from '../../../contract/index.ts';
import type { StepPlace } from './step-context.ts';
import { resultOf } from './step-values.ts';

/** Results that a run takes over from an earlier one. */
export interface Inherited {
  /** Steps, and elements of steps with `forEach`, that are done and are not done again. */
  done: (StepPlace & {
    /** Of the list that the step is done for. */
    elementCount?: number;
    result?: unknown;
    cutBytes?: number;
    attempt: number;
    startedAt?: string;
    finishedAt?: string;
  })[];
  /** Steps and elements of which nobody knows whether they were done. */
  unknown: readonly StepPlace[];
}

/** What the first `keep` steps of a run leave to the next one. */
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
        // A list of results is made of those of its elements.
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

/** The events that record inherited results at the start of a run. */
export function inheritedEvents(
  inherited: Inherited = { done: [], unknown: [] },
): { type: string; data: Record<string, unknown> }[] {
  return [
    ...inherited.done.map((one) => ({ type: 'step_inherited', data: { ...one } })),
    ...inherited.unknown.map((place) => ({ type: 'step_unknown', data: { ...place } })),
  ];
}

/** How a plan gate tells it. */
export function inheritedIndexes({ done, unknown }: Inherited = { done: [], unknown: [] }): {
  completed: number[];
  unknown: number[];
  completedElements?: { index: number; elements: number[]; elementCount: number }[];
} {
  const wholeOf = (places: readonly StepPlace[]): number[] =>
    places.filter(({ element }) => element === undefined).map(({ index }) => index);
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

/** Results of the run before, by index: of steps with `forEach` the list of those of their elements. */
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
  const made = ({ tool, arguments: args, dependsOn, when, id, forEach }: typeof old) => [
    ...[tool, args, [...dependsOn].sort(), when, id, forEach],
  ];
  return isDeepStrictEqual(made(old), made(step));
}
