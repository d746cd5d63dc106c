import { isObject } from '../../../core/is-object.ts';
import type { HookDecision } from '../../../contract/index.ts';
import { readableText } from '../../../core/readable-text.ts';
import type { HookAnswer } from './hook-answer.ts';
import type { HookEventName } from './runnable-hook.ts';

/** As neighbouring tools cut it. */
const maxReasonLength = 10_000;
const maxWarningLength = 500;
const denies = 2;
/** What a shell ends with that could not start a program. */
const unrunnable = new Map([
  [126, 'could not be run: its file is not executable (code 126)'],
  [127, 'could not be run: its program was not found (code 127)'],
]);

/** What a hook said. */
export interface Verdict {
  decision: HookDecision;
  reason?: string;
  /** A sentence that begins with `The hook`: it failed, or wanted what cannot be. */
  warning?: string;
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
    return { ...failed(answer.failure, answer.stderr), failure: 'could_not_run' };
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
  const document = documentIn(answer);
  if (exitCode === denies) {
    const reason = firstLine(stderr) ?? (isObject(document) ? reasonIn(document) : null);
    return { decision: 'deny', ...(reason === null ? {} : { reason }) };
  }
  const answered = isObject(document) ? verdictIn(document) : null;
  if (answered !== null && (answered.decision !== 'none' || answered.warning !== undefined))
    return answered;
  if (exitCode !== null && exitCode !== 0) return endedBadly(exitCode, stderr);
  return typeof document === 'string' ? failed(document, '') : { decision: 'none' };
}

function endedBadly(exitCode: number, stderr: string): Verdict {
  const what = unrunnable.get(exitCode);
  if (what === undefined) return failed(`ended with code ${exitCode}`, stderr);
  return { ...failed(what, stderr), failure: 'could_not_run' };
}

/** Text that is no object counts for nothing; a string says what is wrong with it. */
function documentIn({ stdout, stdoutCut, exitCode }: HookAnswer): Fields | string | null {
  const text = stdout.replace(/^\uFEFF/, '').trim();
  const isHttp = exitCode === null;
  if (!text.startsWith('{')) return isHttp && text !== '' ? 'answered with no JSON object' : null;
  try {
    return JSON.parse(text) as Fields;
  } catch {
    return stdoutCut ? 'answered more than 64 KiB' : 'answered with JSON that cannot be read';
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
    return { ...failed('answered with a decision that this host does not know', ''), decision };
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
    warning: 'The hook wants other arguments for the call (`updatedInput`); they stay as they are.',
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

function failed(what: string, stderr: string): Verdict {
  const line = firstLine(stderr)?.slice(0, maxWarningLength);
  const rest = line === undefined ? (what.endsWith('.') ? '' : '.') : `: ${line}`;
  return { decision: 'none', warning: `The hook ${what}${rest}`, failure: 'failed' };
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
