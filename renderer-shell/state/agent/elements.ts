import type { StepExecution, StepStatus } from '../../../service/contract/index.ts';

/** Position of a call in a plan; without `element`, the step as a whole. */
export interface Place {
  index: number;
  element?: number | undefined;
}

export const isAt = (execution: Place, { index, element }: Place): boolean =>
  execution.index === index && execution.element === element;

/** The executions of whole steps, by index. */
export const wholeSteps = (executions: readonly StepExecution[]): StepExecution[] =>
  executions.filter(({ element }) => element === undefined);

/** The elements of a step with `forEach`, in the order of the list. */
export const elementsOf = (executions: readonly StepExecution[], index: number): StepExecution[] =>
  executions.filter((one) => one.index === index && one.element !== undefined);

/** Counts of the elements of a step. */
export interface ElementTally {
  count: number;
  done: number;
  failed: number;
  running: number;
}

export function tallyOf(elements: readonly StepExecution[]): ElementTally {
  const count = (status: StepStatus): number =>
    elements.filter((one) => one.status === status).length;
  return {
    count: elements.length,
    done: count('completed'),
    failed: count('failed'),
    running: count('running'),
  };
}

/** Returns the executions with one changed; a missing element is added. */
export function withExecution(
  executions: readonly StepExecution[],
  place: Place,
  change: Partial<StepExecution>,
): StepExecution[] {
  const at = executions.findIndex((one) => isAt(one, place));
  const existing = executions[at];
  if (existing) return executions.with(at, { ...existing, ...change });
  const step = executions.find((one) => isAt(one, { index: place.index }));
  if (!step || place.element === undefined) return [...executions];
  const added: StepExecution = {
    index: place.index,
    element: place.element,
    stepId: step.stepId,
    status: 'pending',
    attempt: 0,
    ...change,
  };
  return [...executions, added].sort(byPlace);
}

/** Adds an execution for each element once the length of the list is known. */
export function withElements(
  executions: readonly StepExecution[],
  index: number,
  count: number,
): StepExecution[] {
  const existing = new Set(elementsOf(executions, index).map(({ element }) => element));
  const stepId = executions.find((one) => isAt(one, { index }))?.stepId ?? '';
  const added = Array.from({ length: count }, (_, element): StepExecution => {
    return { index, element, stepId, status: 'pending', attempt: 0 };
  }).filter(({ element }) => !existing.has(element));
  return [...executions, ...added].sort(byPlace);
}

/** Cancels the elements that had not started when another one failed. */
export const withoutPending = (executions: readonly StepExecution[], index: number) =>
  executions.map((one): StepExecution => {
    const waits = one.status === 'pending' || one.status === 'awaiting_approval';
    const isElement = one.index === index && one.element !== undefined;
    return isElement && waits ? { ...one, status: 'skipped' } : one;
  });

/** Sorts the steps first, then the elements of each step. */
function byPlace(one: StepExecution, other: StepExecution): number {
  const wholeFirst = Number(one.element !== undefined) - Number(other.element !== undefined);
  return wholeFirst || one.index - other.index || (one.element ?? 0) - (other.element ?? 0);
}
