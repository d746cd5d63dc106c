import {
  type AgentPlan,
  failureText,
  type RunFailure,
  type RunStatus,
  type RunTally,
  tallyText,
} from '../../../contract/index.ts';
import type { Channel } from '../../../core/channel.ts';
import { HostError } from '../../../core/host-error.ts';
import type { StreamEvent } from '../../../http/reply.ts';
import type { PlanProgress } from './plan-progress.ts';
import { shownResult } from './step-values.ts';

/** Why a step failed: a sentence, and data beside it. */
export interface StepFailure {
  error: string;
  details: string | undefined;
}

export interface RunEnding {
  status: 'completed' | 'failed' | 'cancelled' | 'interrupted';
  summary?: string | undefined;
  error?: string | undefined;
  /** Data beside `error`. */
  details?: string | undefined;
  /** How its steps ended, where it got to the last one. */
  tally?: RunTally;
  /** The step that ended it. */
  failure?: RunFailure;
  /** Of the problem that ended it before its steps did. */
  code?: string;
}

const endEvents = {
  completed: 'complete',
  failed: 'error',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
} as const satisfies Record<RunEnding['status'], string>;

/** Why a run is told to stop, and what it is then. */
const stops: Readonly<Record<string, 'interrupted' | 'cancelled'>> = {
  host_closing: 'interrupted',
  lease_lost: 'interrupted',
  run_cancelled: 'cancelled',
  stopped_by_person: 'cancelled',
};

/** What people are told of what only the host's log may say. */
export const withheld = 'Something went wrong in the host; its log says more.';

export const isOver = (status: RunStatus): boolean => Object.hasOwn(endEvents, status);

/** What a run came to that did not get to its last step. */
export function endingFor(
  why: unknown,
  trouble: (what: string, error: unknown) => void,
): RunEnding {
  const stopped = why instanceof HostError ? stops[why.code] : undefined;
  if (stopped) return { status: stopped };
  if (why instanceof HostError) {
    const { message, code, details } = why;
    return { status: 'failed', error: message, code, details };
  }
  trouble('A run failed', why);
  return { status: 'failed', error: withheld };
}

/** How it stands among what happened. */
export const endEvent = ({ status, summary, error, details, tally, failure, code }: RunEnding) =>
  [
    endEvents[status],
    {
      ...(summary === undefined ? {} : { summary }),
      ...(error === undefined ? {} : { message: error }),
      ...(details === undefined ? {} : { details }),
      ...(tally && { tally }),
      ...(failure && { failure }),
      ...(code === undefined ? {} : { code }),
    },
  ] as const;

/** Ends the stream of a run. */
export function lastWord(
  channel: Channel<StreamEvent>,
  { runId, results }: { runId: string; results: unknown[] },
  { status, summary = '', error, details }: RunEnding,
): void {
  if (status === 'completed') {
    const shown = results.map((result) => shownResult(result) ?? null);
    channel.send({ event: 'complete', data: { runId, summary, results: shown } });
  }
  if (status === 'completed' || status === 'cancelled') channel.end();
  else {
    const message = error ?? 'The host was closed.';
    const extras = details === undefined ? {} : { details };
    channel.end(new HostError('unavailable', 'run_failed', message, extras));
  }
}

/** What a run came to once none of its steps is left; `failures` say why steps failed, by index. */
export function runEnding(
  plan: AgentPlan,
  progress: PlanProgress,
  failures: ReadonlyMap<number, StepFailure>,
): RunEnding {
  const ends = plan.steps.map((_, index) => progress.endOf(index));
  const count = (...wanted: unknown[]): number => ends.filter((end) => wanted.includes(end)).length;
  const tally: RunTally = {
    steps: ends.length,
    done: count('completed'),
    left: count('left-out', 'missed'),
  };
  const told = tallyText(tally, 'en');
  const bad = plan.steps.flatMap(({ onFailure = 'fail' }, index) =>
    ends[index] === 'failed' && onFailure === 'fail' ? [index] : [],
  );
  const [step] = bad;
  if (step === undefined)
    return { status: 'completed', tally, summary: [plan.summary, told].filter(Boolean).join(' ') };
  const { title = '' } = plan.steps[step] ?? {};
  const failure: RunFailure = {
    step,
    title: title.slice(0, 200),
    reason: failures.get(step)?.error ?? '',
    more: bad.length - 1,
  };
  const error = `${failureText(failure, 'en')} ${told}`;
  return { status: 'failed', tally, failure, error, details: failures.get(step)?.details };
}
