import { jsonrepair } from 'jsonrepair';
import { AgentPlan } from '../../../contract/index.ts';
import { type FieldError, HostError } from '../../../core/host-error.ts';
import { invalidPlan } from '../plan/check-plan.ts';

/**
 * The plan in what a model wrote: with words around it, in a code fence, or not quite JSON.
 * @throws HostError `invalid_plan`
 */
export function readDraft(text: string, maxSteps: number): AgentPlan {
  const value = valueIn(text);
  const steps = Array.isArray(value) ? value : (value as { steps?: unknown } | null)?.steps;
  if (!Array.isArray(steps))
    throw invalidPlan([{ path: 'steps', message: 'is missing: write one JSON object with steps' }]);
  if (steps.length > maxSteps) {
    const message = `has ${steps.length} entries, and ${maxSteps} are allowed`;
    throw invalidPlan([{ path: 'steps', message }]);
  }
  const read = AgentPlan.safeParse(Array.isArray(value) ? { steps } : value);
  if (read.success) return read.data;
  throw invalidPlan(
    read.error.issues.map(({ path, message }): FieldError => ({ path: path.join('.'), message })),
  );
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
  const message = 'The model wrote no plan.';
  throw new HostError('invalid', 'invalid_plan', message);
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
