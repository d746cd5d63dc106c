import { maxElements, type PlanStep } from '../../../contract/index.ts';
import { msg } from '../../../messages/index.ts';
import {
  type ElementCall,
  fail,
  maxResultBytes,
  msSince,
  type StepOutcome,
  toolOf,
  withChosenFiles,
} from './run-call.ts';
import type { StepContext } from './step-context.ts';
import { resolveValue, resultOf, visibleResult } from './step-values.ts';

/** Most elements that wait for approval at once; the others start later. */
const maxStarted = 128;

/**
 * Runs a step for each element of its list. Elements that the earlier run completed are not repeated,
 * and at most as many run at once as the run allows. A failed element keeps others from
 * starting, unless the step continues on failure.
 */
export async function runEach(
  index: number,
  step: PlanStep,
  run: StepContext,
  runElement: (call: ElementCall) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const tool = await toolOf(step, run);
  if ('error' in tool) return fail({ index }, tool, run);
  const { value, values } = withChosenFiles(step.forEach, tool, run);
  const list = resolveValue(value, { step }, values);
  if (!Array.isArray(list))
    return fail({ index }, { code: 'not_a_list', error: msg('run.forEachNoList') }, run);
  if (list.length > maxElements) {
    const error = msg('run.tooManyElements', { count: list.length, limit: maxElements });
    return fail({ index }, { code: 'too_many_elements', error }, run);
  }
  const startedMs = performance.now();
  await run.record('step_start', { index, attempt: 1, elementCount: list.length });
  const elements = new Elements(index, step, run);
  await elements.run(list, runElement);
  if (run.signal.aborted) return { status: 'cancelled' };
  const { failure, results } = elements;
  if (failure !== null) {
    const { code = 'tool_failed', error = '', details } = failure.outcome;
    const reason = msg('run.elementFailed', { element: failure.element + 1, reason: error });
    return fail({ index }, { code, error: reason, details }, run, msSince(startedMs));
  }
  const outcome = { status: 'completed', result: results } as const;
  await run.record('step_complete', {
    index,
    success: true,
    status: 'completed',
    ...storedList(visibleResult(results)),
    durationMs: msSince(startedMs),
  });
  return outcome;
}

/** A list that is too large for one event is left out and read from its elements. */
function storedList(result: unknown): { result?: unknown } {
  return Buffer.byteLength(JSON.stringify(result)) <= maxResultBytes ? { result } : {};
}

class Elements {
  failure: { element: number; outcome: StepOutcome } | null = null;
  results: unknown[] = [];
  private readonly index: number;
  private readonly step: PlanStep;
  private readonly context: StepContext;
  private readonly stopped = new AbortController();
  private readonly begin: AbortSignal;
  /** Elements that were started; those that wait for approval do not count as running. */
  private started = 0;
  private asked = 0;
  private moved = Promise.withResolvers<void>();
  private broken: { error: unknown } | null = null;

  constructor(index: number, step: PlanStep, context: StepContext) {
    this.index = index;
    this.step = step;
    this.context = context;
    this.begin = AbortSignal.any([context.signal, this.stopped.signal]);
  }

  /** Resolves when all elements have ended. */
  async run(
    list: readonly unknown[],
    runElement: (call: ElementCall) => Promise<StepOutcome>,
  ): Promise<void> {
    const done = this.context.doneElements.get(this.index);
    this.results = list.map((_, element) => done?.get(element) ?? null);
    const due = list.flatMap((item, index) => (done?.has(index) ? [] : [{ item, index }]));
    for (;;) {
      while (due.length > 0 && this.mayStart) {
        const element = due.shift() as (typeof due)[number];
        this.started += 1;
        void this.runOne(element, runElement);
      }
      if (this.started === 0) break;
      await this.moved.promise;
      this.moved = Promise.withResolvers();
    }
    if (this.broken) throw this.broken.error;
  }

  private get mayStart(): boolean {
    if (this.begin.aborted || this.started >= maxStarted) return false;
    return this.started - this.asked < this.context.semaphore.limit;
  }

  private async runOne(
    element: { item: unknown; index: number },
    runElement: (call: ElementCall) => Promise<StepOutcome>,
  ): Promise<void> {
    const { index } = element;
    let isAsked = false;
    const asked = (now: boolean): void => {
      if (now === isAsked) return;
      isAsked = now;
      this.asked += now ? 1 : -1;
      this.moved.resolve();
    };
    try {
      const position = { index: this.index, element: index };
      const outcome = await runElement({ position, element, begin: this.begin, asked });
      if (outcome.status === 'completed')
        this.results[index] = resultOf(outcome.result, outcome.cutBytes);
      if (outcome.status === 'failed') this.onFailed(index, outcome);
    } catch (error) {
      // Not an error: the element had not started when another one failed.
      if (!this.stopped.signal.aborted || error !== this.stopped.signal.reason) {
        this.broken ??= { error };
        this.stopped.abort();
      }
    }
    asked(false);
    this.started -= 1;
    this.moved.resolve();
  }

  private onFailed(element: number, outcome: StepOutcome): void {
    if (this.step.onFailure === 'continue') return;
    if (this.failure === null) this.failure = { element, outcome };
    this.stopped.abort();
  }
}
