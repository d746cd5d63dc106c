import type { AgentPlan, PlanStep } from '../../../contract/index.ts';
import type { FieldError } from '../../../core/host-error.ts';
import {
  type FoundReference,
  isReference,
  ReferenceProblem,
  referencesIn,
} from '../../../core/references.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';

/** Prefix of an argument that refers to a file chosen for the run. */
export const fileMark = '@file:';

const maxProblems = 50;

/** The names that references in a plan may use. */
export interface PlanShape {
  /** Allowed `inputs.<name>`; absent: the plan has no inputs. */
  inputs?: ReadonlySet<string>;
}

/**
 * Returns the errors of a plan that do not depend on the available tools; empty if there are none.
 */
export function planProblems(plan: AgentPlan, { inputs }: PlanShape = {}): FieldError[] {
  const { steps } = plan;
  const problems = [
    ...idProblems(steps),
    ...steps.flatMap((step, index) => linkProblems(steps, step, index)),
  ];
  if (problems.length > 0) return problems.slice(0, maxProblems);
  const circle = circleIn(steps);
  if (circle !== null) return [circleProblem(circle, steps)];
  const indexOf = new Map(
    steps.flatMap(({ id }, index) => (id === undefined ? [] : [[id, index]])),
  );
  const found = steps.flatMap((step, index) =>
    referenceProblems(step, index, { steps, indexOf, inputs: inputs ?? new Set() }),
  );
  return found.slice(0, maxProblems);
}

function idProblems(steps: readonly PlanStep[]): FieldError[] {
  const seen = new Set<string>();
  return steps.flatMap(({ id }, index) => {
    if (id === undefined) return [];
    if (seen.has(id)) return [at(index, 'id', msg('plan.duplicateId', { id }))];
    seen.add(id);
    return [];
  });
}

const at = (index: number, field: string, message: HostText): FieldError => ({
  path: `steps.${index}.${field}`,
  message,
});

function linkProblems(steps: readonly PlanStep[], step: PlanStep, index: number): FieldError[] {
  const links = step.dependsOn.flatMap((target, position) => {
    if (target === index) return [at(index, `dependsOn.${position}`, msg('plan.dependsOnItself'))];
    if (target < steps.length) return [];
    const count = steps.length;
    return [at(index, `dependsOn.${position}`, msg('plan.dependsOnUnknownStep', { count }))];
  });
  if (!isListOrReference(step.forEach)) links.push(at(index, 'forEach', msg('plan.forEachNoList')));
  const reserved = reservedIn(step.arguments, []);
  if (reserved === null) return links;
  return [...links, at(index, ['arguments', ...reserved].join('.'), msg('plan.nameNotAllowed'))];
}

function isListOrReference(value: unknown): boolean {
  if (value === undefined || Array.isArray(value)) return true;
  if (typeof value !== 'string') return false;
  try {
    return isReference(value) || value.startsWith(fileMark);
  } catch (error) {
    // Reported with the other references.
    if (error instanceof ReferenceProblem) return true;
    throw error;
  }
}

/** Path of a key reserved by the language, such as `__proto__`, or null. */
function reservedIn(value: unknown, path: readonly string[]): string[] | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__') return [...path, name];
    const deeper = reservedIn(inner, [...path, name]);
    if (deeper !== null) return deeper;
  }
  return null;
}

/** The indexes of steps that depend on each other in a cycle, or null. */
function circleIn(steps: readonly PlanStep[]): number[] | null {
  const remaining = new Set(steps.keys());
  for (let before = -1; before !== remaining.size;) {
    before = remaining.size;
    for (const index of remaining)
      if (!steps[index]?.dependsOn.some((target) => remaining.has(target))) remaining.delete(index);
  }
  const [first] = remaining;
  if (first === undefined) return null;
  const way: number[] = [];
  for (let index = first; !way.includes(index);) {
    way.push(index);
    index = steps[index]?.dependsOn.find((target) => remaining.has(target)) ?? first;
  }
  const last = way.at(-1) ?? first;
  const again = steps[last]?.dependsOn.find((target) => remaining.has(target)) ?? first;
  return way.slice(way.indexOf(again));
}

function circleProblem(circle: readonly number[], steps: readonly PlanStep[]): FieldError {
  const [first = 0] = circle;
  const way = [...circle, first].map((index) => nameOf(steps, index)).join(' -> ');
  return at(first, 'dependsOn', msg('plan.circle', { steps: way }));
}

interface PlanContext {
  steps: readonly PlanStep[];
  indexOf: ReadonlyMap<string, number>;
  inputs: ReadonlySet<string>;
}

function referenceProblems(step: PlanStep, index: number, context: PlanContext): FieldError[] {
  let found: FoundReference[];
  try {
    const { arguments: args, when, forEach } = step;
    const scope = { element: forEach !== undefined };
    found = [...referencesIn(args, ['arguments'], scope), ...referencesIn({ when, forEach })];
  } catch (error) {
    if (!(error instanceof ReferenceProblem)) throw error;
    return [at(index, error.at.join('.'), error.text)];
  }
  if (found.length === 0) return [];
  const before = prerequisitesOf(context.steps, index);
  return found.flatMap(({ at: path, reference }) => {
    const { source, key, text } = reference;
    const name = text.slice(0, 200);
    const wrong = (why: Message): FieldError[] => [at(index, path.join('.'), why)];
    if (source === 'item' || source === 'index') return [];
    if (source === 'inputs')
      return context.inputs.has(key) ? [] : wrong(msg('plan.undeclaredInput', { name }));
    if (source === 'last')
      return step.dependsOn.length > 0 ? [] : wrong(msg('plan.lastNeedsStep', { name }));
    const target = source === 'steps' ? Number(key) : context.indexOf.get(key);
    if (target === undefined || target >= context.steps.length)
      return wrong(msg('plan.unknownStep', { name }));
    if (target === index) return wrong(msg('plan.refersToItself', { name }));
    return before.has(target)
      ? []
      : wrong(msg('plan.stepNeeded', { name, step: nameOf(context.steps, target) }));
  });
}

/** Title and number: people count steps from 1 and models from 0. */
function nameOf(steps: readonly PlanStep[], index: number): string {
  const { title = '', id, tool = '' } = steps[index] ?? {};
  return `“${(title || id || tool).slice(0, 100)}”`;
}

/** All direct and indirect prerequisites of a step. */
function prerequisitesOf(steps: readonly PlanStep[], index: number): Set<number> {
  const found = new Set<number>();
  const open = [...(steps[index]?.dependsOn ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(steps[next]?.dependsOn ?? []));
  }
  return found;
}
