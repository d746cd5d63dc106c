import type { PlanStep } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { ReferenceProblem } from '../../../core/references.ts';
import { msg, wireText } from '../../../messages/index.ts';
import { fail, runCall, type StepOutcome } from './run-call.ts';
import { runEach } from './run-each.ts';
import type { StepContext, StepPosition } from './step-context.ts';
import { conditionHolds } from './step-values.ts';

/** Executes one step whose prerequisites are done. Rejects only if an event cannot be stored. */
export async function runStep(index: number, run: StepContext): Promise<StepOutcome> {
  const step = run.plan.steps[index] as PlanStep;
  return reported({ index }, run, async () => {
    if (!conditionHolds(step, run.values)) {
      await run.record('step_skipped', {
        index,
        ...wireText('reason', msg('run.conditionNotMet')),
      });
      return { status: 'skipped' };
    }
    if (step.forEach === undefined) return runCall(index, step, run);
    return runEach(index, step, run, (call) =>
      reported(call.position, run, () => runCall(index, step, run, call)),
    );
  });
}

/** A reference without a value fails the step; a stopped run cancels it. */
async function reported(
  position: StepPosition,
  run: StepContext,
  work: () => Promise<StepOutcome>,
): Promise<StepOutcome> {
  try {
    return await work();
  } catch (error) {
    if (run.signal.aborted) return { status: 'cancelled' };
    const isReportable = error instanceof HostError || error instanceof ReferenceProblem;
    if (!isReportable) throw error;
    return fail(position, { code: 'bad_reference', error: error.text }, run);
  }
}
