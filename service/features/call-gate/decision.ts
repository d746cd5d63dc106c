import type { ApprovalDecision, CallQuestion } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import type { CallGate, JudgedCall, Judgement } from './judged-call.ts';
import { type Message, messageOf, msg, textOf } from '../../messages/index.ts';

/** The answer to an approval request. */
export interface Answered {
  decision: ApprovalDecision;
  comment?: string | undefined;
  /** Rules for `allow_always`; default: all suggested ones. */
  rules?: string[] | undefined;
  /** True if no answer came in time. */
  timedOut?: boolean;
}

/** The question about a call, as people see it. */
export function questionOf(call: JudgedCall, judgement: Judgement): CallQuestion {
  const { reason, rule, segment, suggestedRules } = judgement;
  return {
    tool: call.tool.name,
    effect: call.tool.effect,
    reason: textOf(reason),
    reasonMessage: messageOf(reason),
    suggestedRules,
    options: optionsFor(suggestedRules),
    ...(rule === undefined ? {} : { rule }),
    ...(segment === undefined ? {} : { segment }),
  };
}

/** A call that no rule can allow is decided each time. */
const optionsFor = (suggestedRules: readonly string[]): ApprovalDecision[] =>
  suggestedRules.length === 0
    ? ['allow_once', 'reject']
    : ['allow_once', 'allow_session', 'allow_always', 'reject'];

/** @throws HostError 400 `not_an_option` */
export function checkOption(
  { options }: { options: readonly ApprovalDecision[] },
  decision: ApprovalDecision,
): void {
  if (options.includes(decision)) return;
  throw new HostError('invalid', 'not_an_option', msg('approval.notAnOption', { options }));
}

/**
 * Stores the rules of an answer. Returns null if the call may run, otherwise the message to return
 * in place of a result.
 */
export async function takeAnswer(
  gate: CallGate,
  suggestedRules: readonly string[],
  answered: Answered,
): Promise<Message | null> {
  if (answered.decision === 'allow_session') await gate.remember(suggestedRules, false);
  if (answered.decision === 'allow_always')
    await gate.remember(answered.rules ?? suggestedRules, true);
  return answered.decision === 'reject' ? refusalOf(answered) : null;
}

function refusalOf({ comment, timedOut }: Answered): Message {
  if (timedOut === true) return msg('approval.timedOut');
  const trimmed = comment?.trim() ?? '';
  return trimmed === ''
    ? msg('approval.rejected')
    : msg('approval.rejectedBecause', { comment: trimmed });
}
