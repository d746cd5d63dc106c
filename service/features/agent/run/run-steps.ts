import { wireText } from '../../../messages/index.ts';
import { PlanProgress, type StepEnd, type StepTurn } from './plan-progress.ts';
import type { StepFailure } from './run-outcome.ts';
import type { StepOutcome } from './run-call.ts';
import { runStep } from './run-step.ts';
import type { StepContext } from './step-context.ts';
import { resultOf } from './step-values.ts';

/** Limit of steps in progress; the others wait until some have ended. */
const maxStarted = 128;

/** The context of all steps of a run, with the results they fill in. */
export interface StepsOptions extends Omit<StepContext, 'values'> {
  values: StepContext['values'] & { results: Map<number, unknown>; order: number[] };
  /** Failures by step index; filled during the run. */
  failures: Map<number, StepFailure>;
  /** Ends of steps that another host ran and that did not complete. */
  ended?: ReadonlyMap<number, StepEnd>;
}

/**
 * Executes the steps of a plan, each as soon as its prerequisites are done. Resolves when no step
 * is left or the run was cancelled; rejects, after all steps have ended, if an event could not be
 * stored. The last events may not be stored yet: later ones are stored after them, or not at all.
 */
export async function runSteps(options: StepsOptions): Promise<PlanProgress> {
  const { plan, values, signal } = options;
  const progress = new PlanProgress(plan.steps);
  const due: StepTurn[] = progress.start(values.results.keys(), options.ended);
  let running = 0;
  let moved = Promise.withResolvers<void>();
  const failure: { error?: unknown; failed: boolean } = { failed: false };
  const ended = (index: number, end: StepEnd): void => {
    due.push(...progress.end(index, end));
    moved.resolve();
  };
  const work = async (turn: StepTurn): Promise<void> => {
    if (!turn.start) {
      const { index, end, reason } = turn;
      ended(index, end);
      options
        .record('step_skipped', { index, ...wireText('reason', reason) })
        .catch(() => undefined);
      return;
    }
    const outcome = await runStep(turn.index, options);
    if (outcome.status === 'completed') {
      values.results.set(turn.index, resultOf(outcome.result, outcome.cutBytes));
      values.order.push(turn.index);
    }
    if (outcome.status === 'failed') {
      const { error = '', details } = outcome;
      options.failures.set(turn.index, { error, details });
    }
    ended(turn.index, endOf(outcome));
  };
  for (;;) {
    while (due.length > 0 && running < maxStarted && !signal.aborted && !failure.failed) {
      running += 1;
      void work(due.shift() as StepTurn)
        .catch((error: unknown) => {
          if (!failure.failed) Object.assign(failure, { failed: true, error });
        })
        .finally(() => {
          running -= 1;
          moved.resolve();
        });
    }
    if (running === 0) break;
    await moved.promise;
    moved = Promise.withResolvers();
  }
  if (failure.failed) throw failure.error;
  return progress;
}

function endOf({ status }: StepOutcome): StepEnd {
  if (status === 'skipped') return 'left-out';
  return status;
}
