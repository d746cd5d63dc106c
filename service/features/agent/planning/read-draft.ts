import { jsonrepair } from 'jsonrepair';
import { AgentPlan } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { issueMessages, msg } from '../../../messages/index.ts';
import { invalidPlan } from '../plan/check-plan.ts';

/**
 * Reads the plan from a model's answer, which may have text around it, a code fence or malformed
 * JSON.
 * @throws HostError 400 `invalid_plan`
 */
export function readDraft(text: string, maxSteps: number): AgentPlan {
  const value = valueIn(text);
  const steps = Array.isArray(value) ? value : (value as { steps?: unknown } | null)?.steps;
  if (!Array.isArray(steps))
    throw invalidPlan([{ path: 'steps', message: msg('plan.stepsMissing') }]);
  if (steps.length > maxSteps) {
    const message = msg('plan.tooManySteps', { count: steps.length, limit: maxSteps });
    throw invalidPlan([{ path: 'steps', message }]);
  }
  const plan = Array.isArray(value) ? { steps } : value;
  const read = AgentPlan.safeParse(plan);
  if (read.success) return read.data;
  throw invalidPlan(issueMessages(read.error.issues, plan));
}

function valueIn(text: string): unknown {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text)?.[1];
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const between = start < 0 ? null : text.slice(start, end > start ? end + 1 : undefined);
  for (const piece of [fenced, between, start < 0 ? null : text.slice(start)]) {
    const value = typeof piece === 'string' ? parsed(piece) : undefined;
    if (typeof value === 'object' && value !== null) return value;
  }
  throw new HostError('invalid', 'invalid_plan', msg('plan.noDraft'));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    try {
      return JSON.parse(jsonrepair(text)) as unknown;
    } catch {
      return undefined;
    }
  }
}
