import { objectOf, type ToolCall } from './call.ts';
import type { Verdict } from './judge.ts';

/** A name that a call is judged under. */
interface JudgedName {
  tool: string;
  /** True if a rule that allows this name lets the call run. */
  grants: boolean;
}

/**
 * A rule about the tool of a workflow applies to every way of running it, but allowing it in a chat
 * does not allow it to run unattended. Rules are suggested for the first name.
 */
export function judgedNames(call: ToolCall): [JudgedName, ...JudgedName[]] {
  const own = { tool: call.tool, grants: true };
  const other = call.facets?.runsWorkflow?.(objectOf(call.arguments));
  if (other === undefined) return [own];
  return other.grants ? [other, own] : [own, other];
}

/** Rules take precedence over the mode, and the stricter rule over the other. */
export function stricterVerdict(one: Verdict, other: Verdict, grants: boolean): Verdict {
  if (other.verdict === 'allow' && !grants) return one;
  return weightOf(other) > weightOf(one) ? other : one;
}

function weightOf({ verdict, rule }: Verdict): number {
  if (verdict === 'deny') return 3;
  if (rule === undefined) return 0;
  return verdict === 'ask' ? 2 : 1;
}
