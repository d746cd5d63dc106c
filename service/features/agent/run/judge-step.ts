import { randomUUID } from 'node:crypto';
import type { PlanStep, StepApproval, StepGate } from '../../../contract/index.ts';
import { type JudgedCall, type Judgement, questionOf, takeAnswer } from '../../call-gate/index.ts';
import type { GateAnswer } from './gate-registry.ts';
import type { StepContext } from './step-context.ts';
import { type HostText, messageOf, textOf } from '../../../messages/index.ts';

/** Who lets the step run, or why it may not. */
export type Judged =
  | { refusal: null; approval: StepApproval }
  | {
      refusal: string;
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
  { index, step, call }: { index: number; step: PlanStep; call: JudgedCall },
  run: StepContext,
  slotRelease: SlotRelease,
): Promise<Judged> {
  const judgement = await run.gate.judge(call, (message) =>
    run.emit('warning', { message: textOf(message) }),
  );
  if (judgement.verdict === 'invalid')
    return {
      refusal: textOf(judgement.reason),
      details: judgement.schema,
      code: 'invalid_arguments',
    };
  if (judgement.verdict === 'deny') return refused(textOf(judgement.reason));
  if (judgement.verdict === 'allow') return { refusal: null, approval: ruled(judgement) };
  if (run.isCall) return withinCall(judgement);
  const gate: StepGate = {
    runId: run.runId,
    gateId: randomUUID(),
    gate: 'step',
    index,
    step,
    arguments: call.arguments,
    ...questionOf(call, judgement),
  };
  slotRelease.release();
  const answer = await ask(gate, { call, judgement, run });
  const { decision, comment, granted } = answer;
  // Others that it lets run need not wait until this one may go on.
  const refusal = granted ? null : await takeAnswer(run.gate, gate.suggestedRules, answer);
  if (refusal !== null) return refused(textOf(refusal));
  await slotRelease.reacquire();
  if (granted) return { refusal: null, approval: ruled(granted) };
  const reason = comment ?? judgement.reason;
  return { refusal: null, approval: { by: 'person', decision, ...reasonFields(reason) } };
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
      approval: { by: 'person', reason: 'The call of the workflow was allowed.' },
    };
  const advice = 'Nobody can be asked while a model runs a workflow: run it by hand.';
  return refused(`${textOf(reason)} ${advice}`);
}

const refused = (refusal: string): Judged => ({ refusal, code: 'refused' });

const ruled = ({ rule, reason }: Judgement): StepApproval => ({
  by: rule === undefined ? 'mode' : 'rule',
  ...(rule === undefined ? {} : { rule }),
  ...reasonFields(reason),
});

const reasonFields = (reason: HostText): Pick<StepApproval, 'reason' | 'reasonMessage'> => ({
  reason: textOf(reason),
  reasonMessage: messageOf(reason),
});
