import { isObject } from '../../../core/is-object.ts';
import type { HookDecision } from '../../../contract/index.ts';
import { readableText } from '../../../core/readable-text.ts';
import type { HookAnswer } from './hook-answer.ts';
import type { HookEventName } from './runnable-hook.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';

/** The same limit as in similar tools. */
const maxReasonLength = 10_000;
const maxWarningLength = 500;
const denies = 2;
/** Exit codes of a shell that could not start a program. */
const unrunnable = new Map([
  [126, msg('hooks.notExecutable')],
  [127, msg('hooks.programNotFound')],
]);

/** The interpreted answer of a hook. */
export interface Verdict {
  decision: HookDecision;
  reason?: HostText;
  /** Set when the hook failed or asked for something unsupported. */
  warning?: Message;
  /** Set when the hook failed: it exited with an error, or could not run at all. */
  failure?: 'failed' | 'could_not_run';
}

type Fields = Record<string, unknown>;

/**
 * Interprets the result of a hook. Exit code 2 denies; a JSON document on stdout decides at any
 * exit code, and its strictest decision counts. A hook that failed decides nothing. Events other
 * than `pre_tool_use` only observe: of their hooks only failures are reported.
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

/** Text that is not a JSON object is ignored. */
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
  // Similar tools defer the question to another component; here the person is asked.
  ['defer', 'ask'],
  ['allow', 'allow'],
  ['approve', 'allow'],
]);
const strictness: readonly HookDecision[] = ['none', 'allow', 'ask', 'deny'];

/** Returns the strictest of the decisions. */
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

/**
 * The hook allowed different arguments than those that would be used, so its approval does not
 * count.
 */
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

/** Returns the first line that is not empty. */
function firstLine(text: string): string | null {
  return (
    text
      .split(/[\r\n]+/)
      .map(visibleText)
      .find(Boolean) ?? null
  );
}

/** Removes embedded data and the characters that control terminals or text direction. */
function visibleText(text: string): string {
  return readableText(text.slice(0, 2 * maxReasonLength))
    .sentence.replace(/\p{Cc}\[[0-9;?]*[A-Za-z]|[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/gv, '')
    .trim()
    .slice(0, maxReasonLength);
}
