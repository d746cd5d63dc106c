import type { StepExecution, StepStatus } from '../../../service/contract/index.ts';

/** Position of a call in a plan; without `element`, the step as a whole. */
export interface StepPosition {
  index: number;
  element?: number | undefined;
}

export const isAt = (execution: StepPosition, { index, element }: StepPosition): boolean =>
  execution.index === index && execution.element === element;

/** The executions of whole steps, by index. */
export const executionsOfSteps = (executions: readonly StepExecution[]): StepExecution[] =>
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
  position: StepPosition,
  change: Partial<StepExecution>,
): StepExecution[] {
  const at = executions.findIndex((one) => isAt(one, position));
  const existing = executions[at];
  if (existing) return executions.with(at, { ...existing, ...change });
  const step = executions.find((one) => isAt(one, { index: position.index }));
  if (!step || position.element === undefined) return [...executions];
  const added: StepExecution = {
    index: position.index,
    element: position.element,
    stepId: step.stepId,
    status: 'pending',
    attempt: 0,
    ...change,
  };
  return [...executions, added].sort(byPosition);
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
  return [...executions, ...added].sort(byPosition);
}

/** Cancels the elements that had not started when another one failed. */
export const withoutPending = (executions: readonly StepExecution[], index: number) =>
  executions.map((one): StepExecution => {
    const isPending = one.status === 'pending' || one.status === 'awaiting_approval';
    const isElement = one.index === index && one.element !== undefined;
    return isElement && isPending ? { ...one, status: 'skipped' } : one;
  });

/** Sorts the steps first, then the elements of each step. */
function byPosition(one: StepExecution, other: StepExecution): number {
  const stepsFirst = Number(one.element !== undefined) - Number(other.element !== undefined);
  return stepsFirst || one.index - other.index || (one.element ?? 0) - (other.element ?? 0);
}
