import type { AgentPlan, RunFailure, RunStatus, RunTally } from '../../../contract/index.ts';
import type { Channel } from '../../../core/channel.ts';
import { HostError } from '../../../core/host-error.ts';
import { failureMessage, outcomeMessage } from '../../../core/run-messages.ts';
import type { StreamEvent } from '../../../http/reply.ts';
import { type HostText, msg, wireText } from '../../../messages/index.ts';
import type { PlanProgress } from './plan-progress.ts';
import { visibleResult } from './step-values.ts';

/** The failure of a step: a sentence, and the output behind it. */
export interface StepFailure {
  error: HostText;
  details: string | undefined;
}

/** The outcome of a run. */
export interface RunOutcome {
  status: 'completed' | 'failed' | 'cancelled' | 'interrupted';
  summary?: HostText | undefined;
  /** The written answer, if the model wrote one. */
  answer?: string | undefined;
  error?: HostText | undefined;
  /** Data behind `error`, for the expandable details. */
  details?: string | undefined;
  /** Numbers of steps by their end; absent if the run ended before its last step. */
  tally?: RunTally;
  /** The step that made the run fail. */
  failure?: RunFailure;
  /** Code of the problem that ended the run outside of a step. */
  code?: string;
}

const endEvents = {
  completed: 'complete',
  failed: 'error',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
} as const satisfies Record<RunOutcome['status'], string>;

/** Outcome by the code of the error that stopped the run. */
const stops: Readonly<Record<string, 'interrupted' | 'cancelled'>> = {
  host_closing: 'interrupted',
  lease_lost: 'interrupted',
  run_cancelled: 'cancelled',
  stopped_by_person: 'cancelled',
};

/** Shown in place of unexpected errors, which only the log may contain. */
export const internalError = msg('host.internalError');

export const isOver = (status: RunStatus): boolean => Object.hasOwn(endEvents, status);

/** The outcome of a run that ended before its last step. */
export function outcomeOfError(
  why: unknown,
  onError: (what: string, error: unknown) => void,
): RunOutcome {
  const stopped = why instanceof HostError ? stops[why.code] : undefined;
  if (stopped) return { status: stopped };
  if (why instanceof HostError) {
    const { text, code, details } = why;
    return { status: 'failed', error: text, code, details };
  }
  onError('A run failed', why);
  return { status: 'failed', error: internalError };
}

/** The outcome as an event of the run. */
export const endEvent = ({
  status,
  summary,
  answer,
  error,
  details,
  tally,
  failure,
  code,
}: RunOutcome) =>
  [
    endEvents[status],
    {
      ...(summary === undefined ? {} : wireText('summary', summary)),
      ...(answer === undefined ? {} : { answer }),
      ...(error === undefined ? {} : wireText('message', error)),
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
  { status, summary = '', answer, error, details }: RunOutcome,
): void {
  if (status === 'completed') {
    const visible = results.map((result) => visibleResult(result) ?? null);
    channel.send({
      event: 'complete',
      data: {
        runId,
        ...wireText('summary', summary),
        results: visible,
        ...(answer === undefined ? {} : { answer }),
      },
    });
  }
  if (status === 'completed' || status === 'cancelled') channel.end();
  else {
    const text = error ?? msg('run.hostClosed');
    const extras = details === undefined ? {} : { details };
    channel.end(new HostError('unavailable', 'run_failed', text, extras));
  }
}

/** The outcome of a run after its last step; `failures` by index. */
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
  const bad = plan.steps.flatMap(({ onFailure = 'fail' }, index) =>
    ends[index] === 'failed' && onFailure === 'fail' ? [index] : [],
  );
  const [step] = bad;
  if (step === undefined)
    return { status: 'completed', tally, summary: outcomeMessage(plan.summary ?? '', tally) };
  const { title = '' } = plan.steps[step] ?? {};
  const { error: reason = '', details } = failures.get(step) ?? {};
  const about = { step, title: title.slice(0, 200), more: bad.length - 1 };
  const failure: RunFailure = { ...about, ...wireText('reason', reason) };
  const error = outcomeMessage(failureMessage({ ...about, reason }), tally);
  return { status: 'failed', tally, failure, error, details };
}
