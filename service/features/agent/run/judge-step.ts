import { randomUUID } from 'node:crypto';
import type { PlanStep, StepApproval, StepGate } from '../../../contract/index.ts';
import { type HostText, msg, wireText } from '../../../messages/index.ts';
import { type JudgedCall, type Judgement, questionOf, takeAnswer } from '../../call-gate/index.ts';
import type { GateAnswer } from './gate-registry.ts';
import type { StepContext, StepPlace } from './step-context.ts';

/** Who lets the step run, or why it may not. */
export type Judged =
  | { refusal: null; approval: StepApproval }
  | {
      refusal: HostText;
      details?: string | undefined;
      code: 'refused' | 'invalid_arguments';
      approval?: undefined;
    };

export interface SlotRelease {
  /** A person is asked now. */
  release(): void;
  reacquire(): Promise<void>;
}

/** Asks hooks, rules, the mode, and where these want it a person. */
export async function judgeStep(
  { place, step, call }: { place: StepPlace; step: PlanStep; call: JudgedCall },
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
    ...place,
    step,
    arguments: call.arguments,
    ...questionOf(call, judgement),
  };
  slotRelease.release();
  const answer = await ask(gate, { call, judgement, run });
  const { decision, comment, granted } = answer;
  // Others that it lets run need not wait until this one may go on.
  const refusal = granted ? null : await takeAnswer(run.gate, gate.suggestedRules, answer);
  if (refusal !== null) return refused(refusal);
  await slotRelease.reacquire();
  if (granted) return { refusal: null, approval: ruled(granted) };
  const reason = comment ?? judgement.reason;
  return { refusal: null, approval: { by: 'person', decision, ...wireText('reason', reason) } };
}

/** The word of the person, or the rule that the person has given elsewhere before. */
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
    // Whoever is told of it may answer before this is done.
    await Promise.race([run.record('step_approval_requested', { ...gate }), answered]);
    return await answered;
  } finally {
    over.abort();
    run.gatesChanged();
  }
}

/**
 * What only the mode asks about was decided with the call. What a rule wants to be asked about, and what
 * no rule could grant, was not.
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
