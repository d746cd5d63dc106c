import type { AgentPlan } from '../../../contract/index.ts';
import { msg, textOf, wireText } from '../../../messages/index.ts';
import type { StepResultFact } from '../answer/answer-prompt.ts';
import type { DraftContext } from './draft-context.ts';
import { internalError, outcomeOfError, type RunOutcome, type StepFailure } from './run-outcome.ts';
import { visibleResult } from './step-values.ts';

const answerLimitMs = 5 * 60_000;

/** Removes NUL characters and lone surrogates, which not every database can store. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** The facts about each step for the model. */
export const stepFacts = (
  { steps }: AgentPlan,
  results: ReadonlyMap<number, unknown>,
  failures: ReadonlyMap<number, StepFailure>,
): StepResultFact[] =>
  steps.map((_, index) => {
    const error = failures.get(index)?.error;
    const result = visibleResult(results.get(index));
    return { result, ...(error === undefined ? {} : { error: textOf(error) }) };
  });

/** The model request for the answer of a run. */
export interface AnswerPorts extends DraftContext {
  ask: (steps: readonly StepResultFact[], context: DraftContext) => Promise<string>;
  onError: (what: string, error: unknown) => void;
}

/**
 * Adds an answer to the outcome; without one the run still completes. Rejects if the run was
 * stopped.
 */
export async function answered(
  outcome: RunOutcome,
  steps: readonly StepResultFact[],
  { ask, onError, signal, emit, record }: AnswerPorts,
): Promise<RunOutcome> {
  const limit = AbortSignal.timeout(answerLimitMs);
  const context = { signal: AbortSignal.any([signal, limit]), emit, record };
  try {
    return { ...outcome, answer: storable(await ask(steps, context)) };
  } catch (error) {
    signal.throwIfAborted();
    const reason = limit.aborted
      ? msg('run.answerTimedOut', { minutes: answerLimitMs / 60_000 })
      : (outcomeOfError(error, onError).error ?? internalError);
    record('answer_failed', wireText('reason', reason));
    emit('warning', wireText('message', msg('run.answerFailed', { reason })));
    return outcome;
  }
}
