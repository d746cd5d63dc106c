import type { AgentPlan, Effect, PlanStep } from '../../../contract/index.ts';
import { type FieldError, HostError } from '../../../core/host-error.ts';
import { inParallel } from '../../../core/in-parallel.ts';
import { referencesIn } from '../../../core/references.ts';
import { argumentErrors } from '../../tools/index.ts';
import { fileMark, planProblems, type PlanShape } from './plan-problems.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** The parts of a tool that plan validation needs. */
export interface PlanTool {
  name: string;
  inputSchema: Record<string, unknown>;
  effect: Effect;
}

/** The tools and limits that a plan is checked against. */
export interface PlanRules extends PlanShape {
  tools: readonly PlanTool[];
  /** Refuses steps whose tool has another effect than `read`. */
  readOnly?: boolean;
}

const checksAtOnce = 4;

/** @throws HostError 400 `invalid_plan` that names each step and field */
export async function checkPlan(plan: AgentPlan, rules: PlanRules): Promise<void> {
  const shape = planProblems(plan, rules);
  if (shape.length > 0) throw invalidPlan(shape);
  const tools = new Map(rules.tools.map((tool) => [tool.name, tool]));
  const found = await inParallel(plan.steps.entries(), checksAtOnce, ([index, step]) =>
    stepProblems(step, tools.get(step.tool), rules).then((problems) =>
      problems.map(({ path, message }) => ({ path: `steps.${index}.${path}`, message })),
    ),
  );
  const problems = found.flat();
  if (problems.length > 0) throw invalidPlan(problems);
}

async function stepProblems(
  step: PlanStep,
  tool: PlanTool | undefined,
  { readOnly = false }: PlanRules,
): Promise<FieldError[]> {
  if (!tool)
    return [{ path: 'tool', message: msg('plan.noTool', { tool: step.tool.slice(0, 200) }) }];
  if (readOnly && tool.effect !== 'read') {
    const { name, effect } = tool;
    const message = msg('plan.toolNotReadOnly', { tool: name, effect });
    return [{ path: 'tool', message }];
  }
  const scope = { element: step.forEach !== undefined };
  const open = new Set(
    Object.entries(step.arguments)
      .filter(([, value]) => referencesIn(value, [], scope).length > 0 || holdsFile(value))
      .map(([name]) => name),
  );
  const errors = await argumentErrors(tool, step.arguments, open);
  return errors.map(({ path, message }) => ({
    path: path === '' ? 'arguments' : `arguments.${path}`,
    message,
  }));
}

function holdsFile(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith(fileMark);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsFile);
}

/** An error message with its position; people count steps from 1. */
function located({ path, message: problem }: FieldError): Message {
  const [, index, field] = /^steps\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
  if (index === undefined) return msg('plan.fieldProblem', { path, problem });
  const step = Number(index) + 1;
  return field === undefined
    ? msg('plan.stepProblem', { step, problem })
    : msg('plan.stepFieldProblem', { step, field, problem });
}

export function invalidPlan(errors: readonly FieldError[]): HostError {
  const [first] = errors;
  const text = first
    ? msg('plan.cannotRunBecause', { problem: located(first), more: errors.length - 1 })
    : msg('plan.cannotRun');
  return new HostError('invalid', 'invalid_plan', text, { errors: [...errors].slice(0, 50) });
}
