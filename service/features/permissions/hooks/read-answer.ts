import { isObject } from '../../../core/is-object.ts';
import type { HookDecision } from '../../../contract/index.ts';
import { readableText } from '../../../core/readable-text.ts';
import type { HookAnswer } from './hook-answer.ts';
import type { HookEventName } from './runnable-hook.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';

/** As neighbouring tools cut it. */
const maxReasonLength = 10_000;
const maxWarningLength = 500;
const denies = 2;
/** What a shell ends with that could not start a program. */
const unrunnable = new Map([
  [126, msg('hooks.notExecutable')],
  [127, msg('hooks.programNotFound')],
]);

/** What a hook said. */
export interface Verdict {
  decision: HookDecision;
  reason?: HostText;
  /** That it failed, or wanted what cannot be. */
  warning?: Message;
  /** That it failed: it ended badly, or could not be run at all. */
  failure?: 'failed' | 'could_not_run';
}

type Fields = Record<string, unknown>;

/**
 * What the end of a hook means. Exit code 2 denies, a JSON document on stdout decides at any exit code,
 * the strictest word in it counts; a hook that failed has no say. Other events than `pre_tool_use` only
 * observe: of them nothing but failures is told.
 */
export function readAnswer(event: HookEventName, answer: HookAnswer): Verdict {
  if (answer.failure !== null)
    return {
      ...failed(answer.failure, answer.detail ?? outputIn(answer.stderr)),
      failure: 'could_not_run',
    };
  const verdict = judge(answer);
  if (event === 'pre_tool_use') return verdict;
  const { warning, failure } = verdict;
  return {
    decision: 'none',
    ...(warning === undefined ? {} : { warning }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function judge(answer: HookAnswer): Verdict {
  const { exitCode, stderr } = answer;
  const { fields, problem } = documentIn(answer);
  if (exitCode === denies)
    return denial(firstLine(stderr) ?? (fields === undefined ? null : reasonIn(fields)));
  const answered = fields === undefined ? null : verdictIn(fields);
  if (answered !== null && isDecisive(answered)) return answered;
  if (exitCode !== null && exitCode !== 0) return endedBadly(exitCode, stderr);
  return problem === undefined ? { decision: 'none' } : failed(problem, null);
}

const isDecisive = ({ decision, warning }: Verdict): boolean =>
  decision !== 'none' || warning !== undefined;

const denial = (reason: string | null): Verdict => ({
  decision: 'deny',
  ...(reason === null ? {} : { reason }),
});

function endedBadly(exitCode: number, stderr: string): Verdict {
  const what = unrunnable.get(exitCode);
  if (what === undefined)
    return failed(msg('hooks.endedWithCode', { code: exitCode }), outputIn(stderr));
  return { ...failed(what, outputIn(stderr)), failure: 'could_not_run' };
}

/** Text that is no object counts for nothing. */
function documentIn({ stdout, stdoutCut, exitCode }: HookAnswer): {
  fields?: Fields;
  problem?: Message;
} {
  const text = stdout.replace(/^\uFEFF/, '').trim();
  const isHttp = exitCode === null;
  if (!text.startsWith('{'))
    return isHttp && text !== '' ? { problem: msg('hooks.answerNotObject') } : {};
  try {
    return { fields: JSON.parse(text) as Fields };
  } catch {
    return { problem: stdoutCut ? msg('hooks.outputTooLarge') : msg('hooks.answerNotJson') };
  }
}

const decisionByWord = new Map<unknown, HookDecision>([
  ['deny', 'deny'],
  ['block', 'deny'],
  ['ask', 'ask'],
  // Neighbours hand the question to somebody else; here that is the person.
  ['defer', 'ask'],
  ['allow', 'allow'],
  ['approve', 'allow'],
]);
const strictness: readonly HookDecision[] = ['none', 'allow', 'ask', 'deny'];

/** The strictest of these. */
export function strictest(decisions: readonly HookDecision[]): HookDecision {
  return strictness[Math.max(0, ...decisions.map((one) => strictness.indexOf(one)))] ?? 'none';
}

function verdictIn(document: Fields): Verdict {
  const special = specialIn(document);
  const reported = [document.decision, special.permissionDecision].filter(
    (word) => word !== undefined && word !== null && word !== '',
  );
  const decisions = reported.map((word) =>
    decisionByWord.get(typeof word === 'string' ? word.toLowerCase() : word),
  );
  if (document.continue === false) decisions.push('deny');
  const decision = strictest(decisions.filter((one) => one !== undefined));
  if (decision !== 'deny' && decisions.includes(undefined)) {
    return { ...failed(msg('hooks.unknownDecision'), null), decision };
  }
  if (decision !== 'deny' && isObject(special.updatedInput)) return wantsOther(decision, document);
  const reason = decision === 'none' ? null : reasonIn(document);
  return { decision, ...(reason === null ? {} : { reason }) };
}

/** What it allowed is not what would be done. */
function wantsOther(decision: HookDecision, document: Fields): Verdict {
  const reason = decision === 'ask' ? reasonIn(document) : null;
  return {
    decision: decision === 'ask' ? 'ask' : 'none',
    ...(reason === null ? {} : { reason }),
    warning: msg('hooks.updatedInput'),
  };
}

function reasonIn(document: Fields): string | null {
  const { permissionDecisionReason } = specialIn(document);
  const { reason, stopReason, systemMessage } = document;
  const texts = [permissionDecisionReason, reason, stopReason, systemMessage];
  return (
    texts.map((text) => (typeof text === 'string' ? visibleText(text) : null)).find(Boolean) ?? null
  );
}

function specialIn(document: Fields): Fields {
  return isObject(document.hookSpecificOutput) ? document.hookSpecificOutput : {};
}

const outputIn = (stderr: string): string | null =>
  firstLine(stderr)?.slice(0, maxWarningLength) ?? null;

function failed(problem: HostText, output: HostText | null): Verdict {
  const warning =
    output === null
      ? msg('hooks.failed', { problem })
      : msg('hooks.failedWithOutput', { problem, output });
  return { decision: 'none', warning, failure: 'failed' };
}

/** That has something in it. */
function firstLine(text: string): string | null {
  return (
    text
      .split(/[\r\n]+/)
      .map(visibleText)
      .find(Boolean) ?? null
  );
}

/** Without data, and what steers terminals and the direction of text. */
function visibleText(text: string): string {
  return readableText(text.slice(0, 2 * maxReasonLength))
    .sentence.replace(/\p{Cc}\[[0-9;?]*[A-Za-z]|[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/gv, '')
    .trim()
    .slice(0, maxReasonLength);
}
