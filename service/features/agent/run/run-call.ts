import { setTimeout as delay } from 'node:timers/promises';
import type { PlanStep, StepApproval, StepStatus } from '../../../contract/index.ts';
import { readableText } from '../../../core/readable-text.ts';
import { shorten } from '../../../core/shorten.ts';
import { type HostText, isMessage, msg, textOf, wireText } from '../../../messages/index.ts';
import type { JudgedCall } from '../../call-gate/index.ts';
import type { Tool, ToolResult } from '../../tools/index.ts';
import { judgeStep } from './judge-step.ts';
import type { StepContext, StepPosition } from './step-context.ts';
import { type Element, resolveValue, valueOfOutput, withFiles } from './step-values.ts';

/** The outcome of a step or element. */
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
export const maxResultBytes = 8 * 1024 * 1024;
/** Stored bytes of a result that is too large. */
const maxVisibleBytes = 64 * 1024;

/** Converts an outcome to the fields of events. */
const asWire = <O extends StepOutcome>({ error, ...outcome }: O) => ({
  ...outcome,
  ...(error === undefined ? {} : wireText('error', error)),
});

/** The reason why a call cannot run. */
export interface Refusal {
  code: string;
  error: HostText;
  details?: string | undefined;
}

/** Records the failure of a step or element. */
export async function fail(
  position: StepPosition,
  { code, error, details }: Refusal,
  run: Pick<StepContext, 'record'>,
  durationMs = 0,
): Promise<StepOutcome> {
  const outcome = {
    status: 'failed',
    code,
    error,
    ...(details === undefined ? {} : { details }),
  } as const;
  await run.record('step_complete', {
    ...position,
    success: false,
    ...asWire(outcome),
    durationMs,
  });
  return outcome;
}

/** Returns the tool of a step, or the reason why it cannot be called. */
export async function toolOf(step: PlanStep, run: StepContext): Promise<Tool | Refusal> {
  const tool = (await run.gate.tools()).find(({ name }) => name === step.tool);
  if (!tool) return { code: 'no_tool', error: msg('run.noToolAnyMore', { tool: step.tool }) };
  if (!run.readOnly || tool.effect === 'read') return tool;
  return { code: 'read_only', error: msg('run.toolNotReadOnly', { tool: tool.name }) };
}

/** A call of one element, within the limits of its step. */
export interface ElementCall {
  position: Required<StepPosition>;
  element: Element;
  /** Once aborted, the call must not start. */
  begin: AbortSignal;
  /** Called when the call starts or stops waiting for approval. */
  asked: (isAsked: boolean) => void;
}

/**
 * Calls the tool of a step, or of one element of its list: first the gate, then the
 * attempts. Rejects with the reason of `begin` if the call did not start.
 */
export async function runCall(
  index: number,
  step: PlanStep,
  run: StepContext,
  each?: ElementCall,
): Promise<StepOutcome> {
  const position: StepPosition = each?.position ?? { index };
  const tool = await toolOf(step, run);
  if ('error' in tool) return fail(position, tool, run);
  const args = argumentsOf({ step, element: each?.element }, tool, run);
  const suffix = position.element === undefined ? '' : `:${position.element}`;
  const callId = `${run.runId}:${index}${suffix}`;
  const call: JudgedCall = { callId, tool, arguments: args };
  const begin = each?.begin ?? run.signal;
  const beforeCall = { ...run, signal: begin };
  await run.semaphore.acquire(begin);
  let hasPermit = true;
  try {
    const judged = await judgeStep({ position, step, call }, beforeCall, {
      // A step that waits for approval must not block others.
      release: () => {
        if (hasPermit) run.semaphore.release();
        hasPermit = false;
        each?.asked(true);
      },
      reacquire: async () => {
        await run.semaphore.acquire(begin);
        hasPermit = true;
        each?.asked(false);
      },
    });
    if (judged.refusal !== null) {
      const { code, refusal: error, details } = judged;
      return await fail(position, { code, error, details }, run);
    }
    begin.throwIfAborted();
    return await attempts({ position, step, tool, call, approval: judged.approval }, run);
  } finally {
    if (hasPermit) run.semaphore.release();
  }
}

interface Filled {
  step: PlanStep;
  element?: Element | undefined;
}

function argumentsOf({ step, element }: Filled, tool: Tool, run: StepContext) {
  const { value, values } = withChosenFiles(step.arguments, tool, run);
  return resolveValue(value, { step, element }, values) as Record<string, unknown>;
}

/** A value of a step and the values of its references, with files as the plugin of the tool sees them. */
export function withChosenFiles(
  value: unknown,
  { pluginId }: Tool,
  { values }: StepContext,
): { value: unknown; values: StepContext['values'] } {
  const filled = (one: unknown): unknown => withFiles(one, pluginId, values.files);
  // Outputs of tools must never be read as file references.
  const inputOf = (name: string): unknown => filled(values.inputOf(name));
  return { value: filled(value), values: { ...values, inputOf } };
}

interface ReadyStep {
  position: StepPosition;
  step: PlanStep;
  tool: Tool;
  call: JudgedCall;
  approval: StepApproval;
}

async function attempts(ready: ReadyStep, run: StepContext): Promise<StepOutcome> {
  const { position, step, approval } = ready;
  const most = step.retry?.maxAttempts ?? run.config.maxAttempts ?? 1;
  // Not awaited: stored in one commit with `step_start`.
  void run.record('step_approved', { ...position, ...approval }).catch(() => undefined);
  for (let attempt = 1; ; attempt += 1) {
    run.signal.throwIfAborted();
    await run.record('step_start', { ...position, attempt });
    const startedMs = performance.now();
    const outcome = await callOnce(ready, run);
    const durationMs = msSince(startedMs);
    if (outcome.status !== 'failed' || attempt >= most || run.signal.aborted) {
      const success = outcome.status === 'completed';
      // Not awaited: later steps prepare meanwhile, and their events are stored after this one.
      run
        .record('step_complete', { ...position, success, ...asWire(outcome), durationMs })
        .catch(() => undefined);
      return outcome;
    }
    await run.record('step_retry', { ...position, attempt, ...failureOf(outcome) });
    await delay((step.retry?.delaySeconds ?? 0) * 1_000, undefined, { signal: run.signal });
  }
}

export const msSince = (startedMs: number): number =>
  Math.round((performance.now() - startedMs) * 1_000) / 1_000;

async function callOnce(
  { position, step, tool, call, approval }: ReadyStep,
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
    // Without a decision, it was allowed by a rule, the mode or the approval of the workflow.
    approved: approval.by === 'person' && approval.decision !== undefined,
    onProgress: (text) => run.emit('step_progress', { ...position, text }),
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

/** Returns a readable sentence, with the output as details if it is data. */
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

/** Returns null if the tool did not end in time after its abort. */
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

/** Results that are too large are shortened for people, and later steps cannot use them. */
function storedOutcome(
  { output }: ToolResult,
  { resultCapacity: capacity }: StepContext,
): StepOutcome {
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
