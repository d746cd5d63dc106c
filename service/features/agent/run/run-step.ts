import { setTimeout as delay } from 'node:timers/promises';
import type { PlanStep, StepApproval, StepStatus } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { readableText } from '../../../core/readable-text.ts';
import { shorten } from '../../../core/shorten.ts';
import { ReferenceProblem } from '../../../core/references.ts';
import { type HostText, isMessage, msg, textOf, wireText } from '../../../messages/index.ts';
import type { JudgedCall } from '../../call-gate/index.ts';
import type { Tool, ToolResult } from '../../tools/index.ts';
import { judgeStep } from './judge-step.ts';
import type { StepContext } from './step-context.ts';
import { conditionHolds, resolveValue, valueOfOutput, withFiles } from './step-values.ts';

/** How a step ended. */
export interface StepOutcome {
  status: Extract<StepStatus, 'completed' | 'failed' | 'cancelled' | 'skipped'>;
  result?: unknown;
  error?: HostText;
  /** Data behind `error`: the output of the tool, or a schema. */
  details?: string;
  /** Size of the complete answer in bytes, if `result` is only its head and tail. */
  cutBytes?: number;
  /** Code of the reason for a failure. */
  code?: string;
}

const defaultTimeoutSeconds = 1_800;
/** Time that a tool has to end after it was aborted. */
const endGraceMs = 10_000;
const maxResultBytes = 8 * 1024 * 1024;
/** Bytes kept of an answer that is too large. */
const maxVisibleBytes = 64 * 1024;

/** Executes one step whose prerequisites are done. Rejects only if an event cannot be stored. */
export async function runStep(index: number, run: StepContext): Promise<StepOutcome> {
  const step = run.plan.steps[index] as PlanStep;
  try {
    if (conditionHolds(step, run.values)) return await startStep(index, step, run);
    await run.record('step_skipped', {
      index,
      ...wireText('reason', msg('run.conditionNotMet')),
    });
    return { status: 'skipped' };
  } catch (error) {
    if (run.signal.aborted) return { status: 'cancelled' };
    const isReportable = error instanceof HostError || error instanceof ReferenceProblem;
    if (!isReportable) throw error;
    return fail(index, { code: 'bad_reference', error: error.text }, run);
  }
}

/** The fields as they are in events. */
const asWire = <O extends StepOutcome>({ error, ...outcome }: O) => ({
  ...outcome,
  ...(error === undefined ? {} : wireText('error', error)),
});

async function fail(
  index: number,
  why: { code: string; error: HostText; details?: string },
  run: StepContext,
): Promise<StepOutcome> {
  const outcome = { status: 'failed', ...why } as const;
  await run.record('step_complete', {
    index,
    success: false,
    ...asWire(outcome),
    durationMs: 0,
  });
  return outcome;
}

async function startStep(index: number, step: PlanStep, run: StepContext): Promise<StepOutcome> {
  const tool = (await run.gate.tools()).find(({ name }) => name === step.tool);
  const refuse = (code: string, error: HostText, details?: string) =>
    fail(index, { code, error, ...(details === undefined ? {} : { details }) }, run);
  if (!tool) return refuse('no_tool', msg('run.noToolAnyMore', { tool: step.tool }));
  if (run.readOnly && tool.effect !== 'read')
    return refuse('read_only', msg('run.toolNotReadOnly', { tool: tool.name }));
  const args = argumentsOf(step, tool, run);
  const call: JudgedCall = { callId: `${run.runId}:${index}`, tool, arguments: args };
  await run.semaphore.acquire(run.signal);
  let hasPermit = true;
  try {
    const judged = await judgeStep({ index, step, call }, run, {
      // A step that waits for approval must not block others.
      release: () => {
        if (hasPermit) run.semaphore.release();
        hasPermit = false;
      },
      reacquire: async () => {
        await run.semaphore.acquire(run.signal);
        hasPermit = true;
      },
    });
    if (judged.refusal !== null) return await refuse(judged.code, judged.refusal, judged.details);
    return await attempts({ index, step, tool, call, approval: judged.approval }, run);
  } finally {
    if (hasPermit) run.semaphore.release();
  }
}

function argumentsOf(step: PlanStep, tool: Tool, { values }: StepContext): Record<string, unknown> {
  const filled = (value: unknown): unknown => withFiles(value, tool.pluginId, values.files);
  // Outputs of tools must never be read as file references.
  const fileValues = { ...values, inputOf: (name: string) => filled(values.inputOf(name)) };
  return resolveValue(filled(step.arguments), step, fileValues) as Record<string, unknown>;
}

interface ReadyStep {
  index: number;
  step: PlanStep;
  tool: Tool;
  call: JudgedCall;
  approval: StepApproval;
}

async function attempts(ready: ReadyStep, run: StepContext): Promise<StepOutcome> {
  const { index, step, approval } = ready;
  const most = step.retry?.maxAttempts ?? run.config.maxAttempts ?? 1;
  // Not awaited: stored in one commit with `step_start`.
  void run.record('step_approved', { index, ...approval }).catch(() => undefined);
  for (let attempt = 1; ; attempt += 1) {
    run.signal.throwIfAborted();
    await run.record('step_start', { index, attempt });
    const startedMs = performance.now();
    const outcome = await callOnce(ready, run);
    const durationMs = Math.round((performance.now() - startedMs) * 1_000) / 1_000;
    if (outcome.status !== 'failed' || attempt >= most || run.signal.aborted) {
      const success = outcome.status === 'completed';
      // Not awaited: later steps prepare meanwhile, and their events are stored after this one.
      run
        .record('step_complete', { index, success, ...asWire(outcome), durationMs })
        .catch(() => undefined);
      return outcome;
    }
    await run.record('step_retry', { index, attempt, ...failureOf(outcome) });
    await delay((step.retry?.delaySeconds ?? 0) * 1_000, undefined, { signal: run.signal });
  }
}

async function callOnce(
  { index, step, tool, call, approval }: ReadyStep,
  run: StepContext,
): Promise<StepOutcome> {
  const seconds = step.timeoutSeconds ?? defaultTimeoutSeconds;
  const limit = AbortSignal.timeout(seconds * 1_000);
  const signal = AbortSignal.any([run.signal, limit]);
  const warn = (text: HostText): void => run.emit('warning', wireText('message', text));
  const working = run.gate.run(tool, call.arguments, {
    callId: call.callId,
    runId: run.runId,
    signal,
    sandboxed: run.gate.sandboxed,
    network: call.arguments['network'] === true,
    // Without a decision, a rule, the mode or the approval of the whole workflow allowed it.
    approved: approval.by === 'person' && approval.decision !== undefined,
    onProgress: (text) => run.emit('step_progress', { index, text }),
  });
  const result = await endedSoon(working, signal);
  if (result === null) return notEnded(run.signal);
  if (run.signal.aborted && !result.success) return { status: 'cancelled' };
  if (limit.aborted && !result.success)
    return failed('timed_out', msg('run.stepTimedOut', { seconds }));
  await run.gate.ran(call, result, warn);
  return result.success ? storedOutcome(result, run) : toolFailed(tool, result);
}

const failed = (code: string, error: HostText): StepOutcome => ({ status: 'failed', code, error });

const failureOf = ({ code, error = '', details }: StepOutcome) => ({
  code,
  ...wireText('error', error),
  ...(details === undefined ? {} : { details }),
});

/** A readable sentence, with the output as details where it is data. */
function toolFailed({ name }: Tool, { output, reason }: ToolResult): StepOutcome {
  if (reason !== undefined) {
    const why = failed('tool_failed', isMessage(reason) ? reason : truncated(reason));
    return output === textOf(reason) ? why : { ...why, details: truncated(output) };
  }
  const { sentence, details } = readableText(output);
  const error =
    sentence === '' ? msg('run.toolFailedSilently', { tool: name }) : truncated(sentence);
  return {
    ...failed('tool_failed', error),
    ...(details === undefined ? {} : { details: truncated(details) }),
  };
}

const truncated = (text: string): string =>
  text.length <= 20_000 ? text : `${text.slice(0, 20_000)} … (${text.length} characters)`;

function notEnded(signal: AbortSignal): StepOutcome {
  const error = msg('run.toolNotEnded', { seconds: endGraceMs / 1_000 });
  return signal.aborted ? { status: 'cancelled', error } : failed('not_ended', error);
}

/** Null if the tool did not end in time after its abort. */
async function endedSoon(
  working: Promise<ToolResult>,
  signal: AbortSignal,
): Promise<ToolResult | null> {
  const over = Promise.withResolvers<null>();
  let timer: NodeJS.Timeout | undefined;
  const count = (): void => {
    timer = setTimeout(() => over.resolve(null), endGraceMs).unref();
  };
  signal.addEventListener('abort', count, { once: true });
  try {
    return await Promise.race([working, over.promise]);
  } finally {
    signal.removeEventListener('abort', count);
    clearTimeout(timer);
  }
}

/** Too large answers are shortened for people, and later steps cannot use them. */
function storedOutcome({ output }: ToolResult, { resultCapacity: room }: StepContext): StepOutcome {
  const bytes = Buffer.byteLength(output);
  const isSmall = bytes <= maxVisibleBytes;
  if (bytes <= maxResultBytes && (isSmall || bytes <= capacity.bytes)) {
    const result = valueOfOutput(output);
    const stored = storedBytes(bytes, result);
    if (isSmall || (stored <= maxResultBytes && stored <= capacity.bytes)) {
      capacity.bytes -= stored;
      return { status: 'completed', result };
    }
  }
  return { status: 'completed', result: shorten(output, maxVisibleBytes), cutBytes: bytes };
}

/** Size as JSON, in which some characters take six bytes. */
function storedBytes(bytes: number, result: unknown): number {
  const mayFit = bytes * 6 <= maxResultBytes || bytes > maxResultBytes;
  return mayFit ? bytes : Buffer.byteLength(JSON.stringify(result));
}
