import { randomUUID } from 'node:crypto';
import type { PlanStep, StepApproval, StepGate } from '../../../contract/index.ts';
import { type HostText, msg, wireText } from '../../../messages/index.ts';
import { type JudgedCall, type Judgement, questionOf, takeAnswer } from '../../call-gate/index.ts';
import type { GateAnswer } from './gate-registry.ts';
import type { StepContext, StepPosition } from './step-context.ts';

/** The approval of a step, or the reason for its refusal. */
export type Judged =
  | { refusal: null; approval: StepApproval }
  | {
      refusal: HostText;
      details?: string | undefined;
      code: 'refused' | 'invalid_arguments';
      approval?: undefined;
    };

/** The permit of a step in the concurrency limit of its run. */
export interface SlotRelease {
  /** Called before the user is asked. */
  release(): void;
  reacquire(): Promise<void>;
}

/** Asks hooks, rules and mode whether the step may run, and the user if they require it. */
export async function judgeStep(
  { position, step, call }: { position: StepPosition; step: PlanStep; call: JudgedCall },
  run: StepContext,
  slotRelease: SlotRelease,
): Promise<Judged> {
  const judgement = await run.gate.judge(call, (text: HostText) =>
    run.emit('warning', wireText('message', text)),
  );
  if (judgement.verdict === 'invalid')
    return { refusal: judgement.reason, details: judgement.schema, code: 'invalid_arguments' };
  if (judgement.verdict === 'deny') return refused(judgement.reason);
  if (judgement.verdict === 'allow') return { refusal: null, approval: ruled(judgement) };
  if (run.isCall) return withinCall(judgement);
  const gate: StepGate = {
    runId: run.runId,
    gateId: randomUUID(),
    gate: 'step',
    ...position,
    step,
    arguments: call.arguments,
    ...questionOf(call, judgement),
  };
  slotRelease.release();
  const answer = await ask(gate, { call, judgement, run });
  const { decision, comment, granted } = answer;
  // The answer may release other steps, which need not wait until this one continues.
  const refusal = granted ? null : await takeAnswer(run.gate, gate.suggestedRules, answer);
  if (refusal !== null) return refused(refusal);
  await slotRelease.reacquire();
  if (granted) return { refusal: null, approval: ruled(granted) };
  const reason = comment ?? judgement.reason;
  return { refusal: null, approval: { by: 'person', decision, ...wireText('reason', reason) } };
}

/** The answer of the user, or a rule that the user adds elsewhere meanwhile. */
async function ask(
  gate: StepGate,
  { call, judgement, run }: { call: JudgedCall; judgement: Judgement; run: StepContext },
): Promise<GateAnswer> {
  const { signal, gateLimitMs } = run;
  const over = new AbortController();
  const late = {
    afterMs: gateLimitMs,
    answer: { decision: 'reject', timedOut: true } as const,
  };
  const answered = run.gates.ask(gate, { signal, late });
  run.gatesChanged();
  const release = (granted: Judgement): void => {
    if (!run.gates.has(gate)) return;
    run.gates.answer(gate, { decision: 'allow_once', granted });
  };
  void run.gate.granted(call, judgement, over.signal).then(release);
  try {
    // A client may answer before the event is stored.
    await Promise.race([run.record('step_approval_requested', { ...gate }), answered]);
    return await answered;
  } finally {
    over.abort();
    run.gatesChanged();
  }
}

/**
 * The user's approval of the workflow call covers steps that only the mode would ask about. It does
 * not cover steps that a rule wants confirmed or that no rule can grant.
 */
function withinCall({ rule, reason, suggestedRules }: Judgement): Judged {
  if (rule === undefined && suggestedRules.length > 0)
    return {
      refusal: null,
      approval: { by: 'person', ...wireText('reason', msg('run.workflowCallAllowed')) },
    };
  return refused(msg('run.nobodyToAsk', { reason }));
}

const refused = (refusal: HostText): Judged => ({ refusal, code: 'refused' });

const ruled = ({ rule, reason }: Judgement): StepApproval => ({
  by: rule === undefined ? 'mode' : 'rule',
  ...(rule === undefined ? {} : { rule }),
  ...wireText('reason', reason),
});
