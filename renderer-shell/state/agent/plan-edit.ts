import type { PlanStep, Problem } from '../../../service/contract/index.ts';
import { AgentPlan } from '../../../service/contract/index.ts';
import { issueProblems } from '../../core/messages/issue-problems.ts';
import { mapReferences } from './step-references.ts';

/** A step as it is edited: other steps are meant by key, so they may change places. */
export interface EditedStep {
  key: string;
  title: string;
  tool: string;
  /** JSON text; references in it have the numbers that are shown. */
  arguments: string;
  /** Keys. */
  dependsOn: readonly string[];
  /** JSON text; empty: always. */
  when: string;
  /** JSON text or a reference; empty: the step runs once. */
  forEach: string;
  /** What cannot be seen, or is edited as it is. */
  rest: Pick<PlanStep, 'id' | 'effect' | 'retry' | 'onFailure' | 'timeoutSeconds'>;
}

export interface EditedPlan {
  about: Pick<AgentPlan, 'goal' | 'summary'>;
  steps: readonly EditedStep[];
}

/** What is wrong, by key of the step; what belongs to none stands under an empty one. */
export type PlanErrors = Readonly<Record<string, readonly PlanError[]>>;

type PlanError = Pick<FieldProblem, 'path' | 'message' | 'text'>;
type FieldProblem = NonNullable<Problem['errors']>[number];

let made = 0;
const newKey = (): string => `step-${++made}`;

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

/** A new step behind that one, which it needs; at the end of the plan, of the last one. */
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
 * What needed the step needs what it needed. A reference to its result becomes one to a step that is
 * gone, which `problemsOf` names.
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

/** One place up (-1) or down (1). */
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

/** References mean the step that they meant before. */
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

/** The plan that is meant, or what keeps it from being one. */
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

/** A reference may be written without quotes. */
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

/** What the service says of `steps.<index>.<field>`, at the steps. */
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

/** Whether two plans say the same. */
export const isSamePlan = (one: AgentPlan, other: AgentPlan): boolean =>
  JSON.stringify(AgentPlan.parse(one)) === JSON.stringify(AgentPlan.parse(other));
