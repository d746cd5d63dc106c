import type { PlanStep, Problem } from '../../../service/contract/index.ts';
import { AgentPlan } from '../../../service/contract/index.ts';
import { issueProblems } from '../../core/messages/issue-problems.ts';
import { mapReferences } from './step-references.ts';

/** A step while it is edited. Other steps are referenced by key, so they may be reordered. */
export interface EditedStep {
  key: string;
  title: string;
  tool: string;
  /** JSON text; references in it use the visible step numbers. */
  arguments: string;
  /** Keys of other steps. */
  dependsOn: readonly string[];
  /** JSON text; an empty text means always. */
  when: string;
  /** JSON text or a reference; an empty text means that the step runs once. */
  forEach: string;
  /** Fields that the editor does not change. */
  rest: Pick<PlanStep, 'id' | 'effect' | 'retry' | 'onFailure' | 'timeoutSeconds'>;
}

/** A plan while it is edited. */
export interface EditedPlan {
  about: Pick<AgentPlan, 'goal' | 'summary'>;
  steps: readonly EditedStep[];
}

/** Problems by key of the step; those of the plan as a whole have an empty key. */
export type PlanErrors = Readonly<Record<string, readonly PlanError[]>>;

type PlanError = Pick<FieldProblem, 'path' | 'message' | 'text'>;
type FieldProblem = NonNullable<Problem['errors']>[number];

let keyCount = 0;
const newKey = (): string => `step-${++keyCount}`;

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

export function editedPlan({ goal, summary, steps }: AgentPlan): EditedPlan {
  const keys = steps.map(newKey);
  const about = {
    ...(goal === undefined ? {} : { goal }),
    ...(summary === undefined ? {} : { summary }),
  };
  return {
    about,
    steps: steps.map((step, index) => {
      const { title, tool, arguments: args, dependsOn, when, forEach, ...rest } = step;
      return {
        key: keys[index] ?? '',
        title,
        tool,
        rest,
        arguments: pretty(args),
        dependsOn: dependsOn.flatMap((target) => keys[target] ?? []),
        when: when === undefined ? '' : pretty(when),
        forEach: forEach === undefined ? '' : pretty(forEach),
      };
    }),
  };
}

export function changeStep(
  plan: EditedPlan,
  key: string,
  change: Partial<Omit<EditedStep, 'key'>>,
): EditedPlan {
  const steps = plan.steps.map((step) => (step.key === key ? { ...step, ...change } : step));
  return { ...plan, steps };
}

/**
 * Adds a new step that depends on step `after`; with null, at the end of the plan, depending on the
 * last step. Returns the plan and the key of the new step.
 */
export function addStep(plan: EditedPlan, after: string | null): [EditedPlan, string] {
  const at = after === null ? plan.steps.length - 1 : indexOf(plan, after);
  const before = plan.steps[at];
  const step: EditedStep = {
    key: newKey(),
    title: '',
    tool: '',
    arguments: '{}',
    when: '',
    forEach: '',
    rest: {},
    dependsOn: before ? [before.key] : [],
  };
  const steps = [...plan.steps.slice(0, at + 1), step, ...plan.steps.slice(at + 1)];
  return [renumbered(plan, steps), step.key];
}

/**
 * Removes a step. Steps that depended on it now depend on its own dependencies. References to its
 * result become references to a missing step, which `problemsOf` reports.
 */
export function removeStep(plan: EditedPlan, key: string): EditedPlan {
  const removed = plan.steps.find((step) => step.key === key);
  const steps = plan.steps
    .filter((step) => step.key !== key)
    .map((step) => {
      if (!removed || !step.dependsOn.includes(key)) return step;
      const dependsOn = step.dependsOn.flatMap((one) => (one === key ? removed.dependsOn : [one]));
      return { ...step, dependsOn: [...new Set(dependsOn)] };
    });
  return renumbered(plan, steps);
}

/** Moves a step one position up (-1) or down (1). */
export function moveStep(plan: EditedPlan, key: string, by: -1 | 1): EditedPlan {
  const at = indexOf(plan, key);
  const moved = plan.steps[at];
  const other = plan.steps[at + by];
  if (!moved || !other) return plan;
  const steps = [...plan.steps];
  steps[at] = other;
  steps[at + by] = moved;
  return renumbered(plan, steps);
}

const indexOf = ({ steps }: EditedPlan, key: string): number =>
  steps.findIndex((step) => step.key === key);

const deletedMarker = 'deleted';

/** Renumbers references so that they point to the same steps as before. */
function renumbered(before: EditedPlan, steps: readonly EditedStep[]): EditedPlan {
  const indexByKey = new Map(steps.map(({ key }, index) => [key, index]));
  const toNewIndex = (number: string): string => {
    const key = before.steps[Number(number)]?.key;
    if (key === undefined) return number;
    return String(indexByKey.get(key) ?? deletedMarker);
  };
  return {
    ...before,
    steps: steps.map((step) => ({
      ...step,
      arguments: mapReferences(step.arguments, toNewIndex),
      when: mapReferences(step.when, toNewIndex),
      forEach: mapReferences(quoted(step.forEach), toNewIndex),
    })),
  };
}

/** Returns the edited plan, or the errors that make it invalid. */
export function planOf({ about, steps }: EditedPlan): { plan: AgentPlan } | { errors: PlanErrors } {
  const errors: Record<string, PlanError[]> = {};
  const add = (key: string, path: string, message: string) =>
    (errors[key] ??= []).push({ path, message });
  const indexByKey = new Map(steps.map(({ key }, index) => [key, index]));
  const read = steps.map((step) => {
    for (const path of ['arguments', 'when', 'forEach'] as const)
      if (step[path].includes(`steps.${deletedMarker}.`)) add(step.key, path, 'deleted');
    return {
      ...step.rest,
      title: step.title,
      tool: step.tool.trim(),
      arguments: parsed(step.arguments, () => add(step.key, 'arguments', 'noJson')),
      dependsOn: step.dependsOn.flatMap((key) => indexByKey.get(key) ?? []),
      ...(step.when.trim() === ''
        ? {}
        : { when: parsed(step.when, () => add(step.key, 'when', 'noJson')) }),
      ...(step.forEach.trim() === ''
        ? {}
        : { forEach: parsed(quoted(step.forEach), () => add(step.key, 'forEach', 'noJson')) }),
    };
  });
  if (Object.keys(errors).length > 0) return { errors };
  const value = { ...about, steps: read };
  const checked = AgentPlan.safeParse(value);
  if (checked.success) return { plan: checked.data };
  return { errors: errorsByStep(steps, issueProblems(checked.error.issues, value)) };
}

/** Adds the quotes that a reference may be written without. */
const quoted = (text: string): string =>
  /^\s*(?:$|[[{"](?!\{))/.test(text) ? text : JSON.stringify(text.trim());

function parsed(text: string, onError: () => void): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    onError();
    return {};
  }
}

/** Maps the service's problems of `steps.<index>.<field>` to the steps. */
export function errorsByStep(
  steps: readonly { key: string }[],
  errors: readonly PlanError[],
): PlanErrors {
  const found: Record<string, PlanError[]> = {};
  for (const { path, ...error } of errors) {
    const [, index, field = ''] = /^steps\.(\d+)(?:\.(.*))?$/.exec(path) ?? [];
    const key = index === undefined ? '' : (steps[Number(index)]?.key ?? '');
    (found[key] ??= []).push({ path: key === '' ? path : field, ...error });
  }
  return found;
}

/** Returns true if two plans have the same content. */
export const isSamePlan = (one: AgentPlan, other: AgentPlan): boolean =>
  JSON.stringify(AgentPlan.parse(one)) === JSON.stringify(AgentPlan.parse(other));
