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
import { visibleResult } from './step-values.ts';

/** Why a step failed: a sentence, and data beside it. */
export interface StepFailure {
  error: string;
  details: string | undefined;
}

export interface RunOutcome {
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
} as const satisfies Record<RunOutcome['status'], string>;

/** Why a run is told to stop, and what it is then. */
const stops: Readonly<Record<string, 'interrupted' | 'cancelled'>> = {
  host_closing: 'interrupted',
  lease_lost: 'interrupted',
  run_cancelled: 'cancelled',
  stopped_by_person: 'cancelled',
};

/** What people are told of what only the host's log may say. */
export const internalErrorMessage = 'Something went wrong in the host; its log says more.';

export const isOver = (status: RunStatus): boolean => Object.hasOwn(endEvents, status);

/** What a run came to that did not get to its last step. */
export function outcomeOfError(
  why: unknown,
  onError: (what: string, error: unknown) => void,
): RunOutcome {
  const stopped = why instanceof HostError ? stops[why.code] : undefined;
  if (stopped) return { status: stopped };
  if (why instanceof HostError) {
    const { message, code, details } = why;
    return { status: 'failed', error: message, code, details };
  }
  onError('A run failed', why);
  return { status: 'failed', error: internalErrorMessage };
}

/** How it stands among what happened. */
export const endEvent = ({ status, summary, error, details, tally, failure, code }: RunOutcome) =>
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
export function sendFinalEvent(
  channel: Channel<StreamEvent>,
  { runId, results }: { runId: string; results: unknown[] },
  { status, summary = '', error, details }: RunOutcome,
): void {
  if (status === 'completed') {
    const visible = results.map((result) => visibleResult(result) ?? null);
    channel.send({ event: 'complete', data: { runId, summary, results: visible } });
  }
  if (status === 'completed' || status === 'cancelled') channel.end();
  else {
    const message = error ?? 'The host was closed.';
    const extras = details === undefined ? {} : { details };
    channel.end(new HostError('unavailable', 'run_failed', message, extras));
  }
}

/** What a run came to once none of its steps is left; `failures` say why steps failed, by index. */
export function outcomeOfSteps(
  plan: AgentPlan,
  progress: PlanProgress,
  failures: ReadonlyMap<number, StepFailure>,
): RunOutcome {
  const ends = plan.steps.map((_, index) => progress.endOf(index));
  const count = (...statuses: unknown[]): number =>
    ends.filter((end) => statuses.includes(end)).length;
  const tally: RunTally = {
    steps: ends.length,
    done: count('completed'),
    left: count('left-out', 'missed'),
  };
  const tallySentence = tallyText(tally, 'en');
  const bad = plan.steps.flatMap(({ onFailure = 'fail' }, index) =>
    ends[index] === 'failed' && onFailure === 'fail' ? [index] : [],
  );
  const [step] = bad;
  if (step === undefined)
    return {
      status: 'completed',
      tally,
      summary: [plan.summary, tallySentence].filter(Boolean).join(' '),
    };
  const { title = '' } = plan.steps[step] ?? {};
  const failure: RunFailure = {
    step,
    title: title.slice(0, 200),
    reason: failures.get(step)?.error ?? '',
    more: bad.length - 1,
  };
  const error = `${failureText(failure, 'en')} ${tallySentence}`;
  return { status: 'failed', tally, failure, error, details: failures.get(step)?.details };
}
