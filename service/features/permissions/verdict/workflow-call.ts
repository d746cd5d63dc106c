import type { ToolCall } from './call.ts';
import type { Verdict } from './judge.ts';

/** A name that a call is judged under. */
interface JudgedName {
  tool: string;
  /** Whether a rule that allows this name lets the call run. */
  grants: boolean;
}

/** What runs, later or unwatched, the workflow that its arguments name. */
const naming = new Set(['task_submit_workflow', 'task_schedule']);

/**
 * What a rule says of the tool of a workflow holds in whatever way it is run; but to let it run in a chat
 * is not yet to let it run unwatched. Rules are suggested for the first name.
 */
export function judgedNames({
  tool,
  arguments: given,
  workflowId,
}: ToolCall): [JudgedName, ...JudgedName[]] {
  const own = { tool, grants: true };
  if (tool === 'run_current_flow' && workflowId !== undefined)
    return [{ tool: `run_workflow_${workflowId}`, grants: true }, own];
  if (!naming.has(tool) || typeof given !== 'object' || given === null) return [own];
  const id = (given as { workflowId?: unknown }).workflowId;
  return typeof id === 'string' ? [own, { tool: `run_workflow_${id}`, grants: false }] : [own];
}

/** A rule goes before the mode, and the stricter rule before the other. */
export function weightier(one: Verdict, other: Verdict, grants: boolean): Verdict {
  if (other.verdict === 'allow' && !grants) return one;
  return weightOf(other) > weightOf(one) ? other : one;
}

function weightOf({ verdict, rule }: Verdict): number {
  if (verdict === 'deny') return 3;
  if (rule === undefined) return 0;
  return verdict === 'ask' ? 2 : 1;
}
