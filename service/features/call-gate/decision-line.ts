import type { JudgedCall, Judgement } from './judged-call.ts';

/** Log line of a decision, without arguments and rule texts, which may contain secrets. */
export function decisionLine(
  { callId, tool }: JudgedCall,
  { verdict, rule, hookAsks }: Judgement,
  mode: string,
): string {
  const by = hookAsks ? 'a hook' : rule === undefined ? `the mode ${mode}` : 'a rule';
  const why = verdict === 'invalid' ? 'its arguments do not fit' : `decided by ${by}`;
  return `${tool.name} (${tool.effect}, call ${callId}): ${verdict}, ${why}`;
}

export const callLine = (name: string, callId: string, success: boolean, ms: number): string =>
  `${name} (call ${callId}): ${success ? 'done' : 'failed'} after ${ms} ms`;
