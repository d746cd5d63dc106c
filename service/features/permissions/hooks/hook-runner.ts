import type { HookStatus, HookTest } from '../../../contract/index.ts';
import { HostError, hostClosing } from '../../../core/host-error.ts';
import { inParallel } from '../../../core/in-parallel.ts';
import type { Log } from '../../../platform/log.ts';
import type { Processes } from '../../../platform/processes.ts';
import { matcherProblem, matchesTool } from '../../contributions/index.ts';
import { callHttpHook } from './call-http-hook.ts';
import { type HookAnswer, noAnswer } from './hook-answer.ts';
import { hookPayload, toolNameFor } from './hook-payload.ts';
import { LastResults } from './last-results.ts';
import { readAnswer, strictest, type Verdict } from './read-answer.ts';
import { maxCapturedBytes, runCommandHook } from './run-command-hook.ts';
import type { HookCall, HookOutcome, HookWarning, RunnableHook } from './runnable-hook.ts';
import { Semaphore } from '../../../core/semaphore.ts';
import { type Message, messageOf, msg, textOf } from '../../../messages/index.ts';

export type { HookCall, HookOutcome, RunnableHook } from './runnable-hook.ts';

/** Limit for the hooks of one call. */
const hooksAtOnce = 8;
/**
 * Limit for the hooks of all calls together, so that many parallel turns do not overload the
 * machine.
 */
const allAtOnce = 32;

/** Dependencies of `HookRunner`. */
export interface HookRunnerOptions {
  processes: Processes;
  /** The hooks that may run now: enabled ones, and of plugins only the trusted ones. */
  hooks: () => Promise<RunnableHook[]>;
  /**
   * The folder where commands run, or a substitute that exists: a guard must not fail because a
   * folder is missing.
   */
  workspace: () => Promise<string>;
  /** Names of a tool in similar tools, for hooks that are tried. */
  aliasesOf?: (tool: string) => Promise<readonly string[] | undefined>;
  log: Pick<Log, 'debug' | 'warn' | 'error'>;
  /**
   * Called once when a hook cannot run, and again only after it has run since. `reason` is a
   * sentence.
   */
  onCannotRun?: (hook: RunnableHook, reason: Message) => void;
}

interface Ran {
  answer: HookAnswer;
  verdict: Verdict;
  durationMs: number;
}

/** Runs the hooks of the user and of trusted plugins, and remembers the last result of each. */
export class HookRunner {
  readonly #options: HookRunnerOptions;
  readonly #slots = new Semaphore(allAtOnce);
  readonly #results = new LastResults();
  /** Hooks that could not run at their last start. */
  readonly #failing = new Set<string>();
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #reported = new Set<string>();

  constructor(options: HookRunnerOptions) {
    this.#options = options;
  }

  /**
   * Runs every hook for the call in parallel. The strictest decision wins (deny, ask, allow, none),
   * among equals the first hook. A hook that fails decides nothing and adds a warning. If the hooks
   * cannot be listed, a call that has not run yet is asked about. Rejects with the reason of the
   * signal once it is aborted.
   * @throws HostError `host_closing`
   */
  async run(call: HookCall, signal: AbortSignal): Promise<HookOutcome> {
    const either = this.#signalWith(signal);
    either.throwIfAborted();
    const listed = await this.#options.hooks().catch((error: unknown) => {
      this.#options.log.error('hooks', 'The hooks could not be listed', error);
      return null;
    });
    either.throwIfAborted();
    if (listed === null) return unlisted(call);
    const meant = listed.filter((hook) => hook.event === call.event);
    const unreadable = meant.flatMap((hook) => this.#unreadable(hook, call));
    this.#reportOnce(unreadable);
    const firing = meant.filter((hook) => fires(hook, call));
    if (firing.length === 0) return { decision: 'none', warnings: unreadable };
    const ran = await inParallel(firing, hooksAtOnce, (hook) => this.#runOne(hook, call, either));
    either.throwIfAborted();
    return outcomeOf(firing, ran, unreadable);
  }

  /** Returns the last result of each hook, newest first. */
  status(): HookStatus[] {
    return this.#results.list();
  }

  /**
   * Runs one hook regardless of its matcher, with a sample call whose fields `payload` may replace.
   * `hook` may be the name of a hook that may run now. Aborting the signal ends the hook, and the result
   * says so.
   * @throws HostError 404 `unknown_hook`
   */
  async test(
    hook: RunnableHook | string,
    payload: Readonly<Record<string, unknown>> = {},
    signal?: AbortSignal,
  ): Promise<HookTest> {
    const meant = typeof hook === 'string' ? await this.#named(hook) : hook;
    const either = this.#signalWith(signal);
    const sample = {
      ...sampleCall(meant, await this.#options.workspace()),
      ...callFieldsIn(payload),
    };
    const aliases = await this.#options.aliasesOf?.(sample.tool ?? '');
    const call = { ...sample, aliases };
    const sent = { ...hookPayload(call, toolNameFor(meant, call)), ...payload };
    const { answer, verdict, durationMs } = await this.#owned(this.#perform(meant, sent, either));
    this.#closing.signal.throwIfAborted();
    return {
      ...decisionFields(verdict),
      ...(answer.exitCode === null ? {} : { exitCode: answer.exitCode }),
      timedOut: answer.timedOut,
      stdout: answer.stdout.slice(0, maxCapturedBytes),
      stderr: answer.stderr,
      durationMs,
    };
  }

  /** Ends running hooks; none can start afterwards. */
  async close(): Promise<void> {
    this.#closing.abort(hostClosing());
    await Promise.allSettled(this.#running);
  }

  /** Returns null if the hook had to wait and may no longer run. */
  async #runOne(hook: RunnableHook, call: HookCall, signal: AbortSignal): Promise<Verdict | null> {
    const waited = await this.#slots.acquire(signal);
    try {
      if (waited && !(await mayStillRun(hook))) return null;
      const payload = hookPayload(call, toolNameFor(hook, call));
      const ran = await this.#owned(this.#perform(hook, payload, signal));
      if (!signal.aborted) this.#remember(hook, call, ran);
      return ran.verdict;
    } finally {
      this.#slots.release();
    }
  }

  async #perform(hook: RunnableHook, payload: object, signal: AbortSignal): Promise<Ran> {
    const startedMs = performance.now();
    const run = { hook, payload: JSON.stringify(payload), signal };
    const { processes, workspace } = this.#options;
    const answer =
      hook.problem !== undefined
        ? { ...noAnswer, failure: hook.problem }
        : hook.type === 'http'
          ? await callHttpHook(run)
          : await runCommandHook(processes, { ...run, workspace: await workspace() });
    const durationMs = Math.round(performance.now() - startedMs);
    return { answer, verdict: closed(hook, readAnswer(hook.event, answer)), durationMs };
  }

  #remember(hook: RunnableHook, call: HookCall, { answer, verdict, durationMs }: Ran): void {
    const { name, event } = hook;
    this.#results.add({
      hook: name,
      event,
      at: new Date().toISOString(),
      ...(call.tool === undefined ? {} : { tool: call.tool }),
      ...decisionFields(verdict),
      lastResult: verdict.failure ?? 'ran',
      ...(answer.exitCode === null ? {} : { exitCode: answer.exitCode }),
      timedOut: answer.timedOut,
      durationMs,
    });
    const { log } = this.#options;
    log.debug('hooks', () => `${name} (${event}): ${verdict.decision}, ${durationMs} ms`);
    if (verdict.warning !== undefined) log.warn('hooks', `${name}: ${textOf(verdict.warning)}`);
    this.#recordOutcome(hook, verdict);
  }

  #recordOutcome(hook: RunnableHook, { failure, warning }: Verdict): void {
    const { name } = hook;
    if (failure !== 'could_not_run') this.#failing.delete(name);
    else if (warning !== undefined && !this.#failing.has(name)) {
      this.#failing.add(name);
      this.#options.onCannotRun?.(hook, warning);
    }
  }

  /** A matcher that cannot be parsed matches nothing, so a warning is needed to notice it. */
  #unreadable(hook: RunnableHook, call: HookCall): HookWarning[] {
    const problem = toolOf(call) === undefined ? null : matcherProblem(hook.matcher);
    return problem === null
      ? []
      : [{ hook: hook.name, message: msg('hooks.neverRuns', { problem }) }];
  }

  /** Without this, every call of a tool would report the same problem. */
  #reportOnce(warnings: readonly HookWarning[]): void {
    for (const { hook, message } of warnings) {
      const line = `${hook}: ${textOf(message)}`;
      if (this.#reported.has(line)) continue;
      this.#reported.add(line);
      this.#options.log.warn('hooks', line);
    }
  }

  async #named(name: string): Promise<RunnableHook> {
    const found = (await this.#options.hooks()).find((hook) => hook.name === name);
    if (found !== undefined) return found;
    const message = msg('hooks.unknown', { name });
    throw new HostError('missing', 'unknown_hook', message);
  }

  #signalWith(signal: AbortSignal | undefined): AbortSignal {
    const all = [this.#closing.signal, ...(signal === undefined ? [] : [signal])];
    return AbortSignal.any(all);
  }

  async #owned<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }
}

/** The decision fields of a result that leaves the service. */
function decisionFields({
  decision,
  reason,
  warning,
}: Verdict): Pick<
  HookTest,
  'decision' | 'reason' | 'reasonMessage' | 'warning' | 'warningMessage'
> {
  return {
    decision,
    ...(reason !== undefined && { reason: textOf(reason), reasonMessage: messageOf(reason) }),
    ...(warning !== undefined && { warning: textOf(warning), warningMessage: warning }),
  };
}

/** Turns a failure of a `failClosed` hook into a denial. */
function closed({ event, failClosed }: RunnableHook, verdict: Verdict): Verdict {
  const { failure, warning } = verdict;
  if (failClosed !== true || event !== 'pre_tool_use' || failure === undefined) return verdict;
  return { ...verdict, decision: 'deny', ...(warning === undefined ? {} : { reason: warning }) };
}

async function mayStillRun(hook: RunnableHook): Promise<boolean> {
  if (hook.mayStillRun === undefined) return true;
  return hook.mayStillRun().catch(() => false);
}

/** The end of a run belongs to no tool, so a matcher does not apply to it. */
function toolOf({ event, tool }: HookCall): string | undefined {
  return event.includes('_tool_') ? tool : undefined;
}

function fires(hook: RunnableHook, call: HookCall): boolean {
  const name = toolOf(call);
  const { aliases } = call;
  return name === undefined || matchesTool(hook.matcher, { name, aliases }, call.arguments);
}

function outcomeOf(
  hooks: readonly RunnableHook[],
  verdicts: readonly (Verdict | null)[],
  warnings: readonly HookWarning[],
): HookOutcome {
  const decision = strictest(verdicts.map((verdict) => verdict?.decision ?? 'none'));
  const first = verdicts.findIndex((verdict) => verdict?.decision === decision);
  const hook = hooks[first]?.name;
  const reason = verdicts[first]?.reason;
  const failed = hooks.flatMap(({ name }, index) => {
    const message = verdicts[index]?.warning;
    return message === undefined ? [] : [{ hook: name, message }];
  });
  return {
    decision,
    ...(decision === 'none' || hook === undefined ? {} : { hook }),
    ...(decision === 'none' || reason === undefined ? {} : { reason }),
    warnings: [...warnings, ...failed],
  };
}

/** The outcome when the hooks could not be listed, so that a denial may have been missed. */
function unlisted({ event }: HookCall): HookOutcome {
  const message = msg('hooks.notListed');
  const warnings = [{ hook: '', message }];
  if (event !== 'pre_tool_use') return { decision: 'none', warnings };
  return { decision: 'ask', reason: message, warnings };
}

/** Fields of the call that other payload fields are derived from. */
function callFieldsIn(payload: Readonly<Record<string, unknown>>): Partial<HookCall> {
  const { tool, arguments: args, callId } = payload;
  return {
    ...(typeof tool === 'string' ? { tool } : {}),
    ...(typeof args === 'object' && args !== null ? { arguments: { ...args } } : {}),
    ...(typeof callId === 'string' ? { callId } : {}),
  };
}

function sampleCall({ event }: RunnableHook, cwd: string): HookCall {
  const call: HookCall = { event, conversationId: 'test', permissionMode: 'ask-for-approval', cwd };
  if (event === 'run_complete') return { ...call, runId: 'test' };
  if (event === 'run_error') return { ...call, runId: 'test', error: 'The run failed.' };
  const command = { command: 'echo hello' };
  const tool: HookCall = {
    ...call,
    tool: 'execute_command',
    arguments: command,
    effect: 'execute',
    callId: 'test',
  };
  if (event === 'post_tool_use_failure') return { ...tool, error: 'The tool failed.' };
  return event === 'pre_tool_use' ? tool : { ...tool, result: { exitCode: 0, stdout: 'hello\n' } };
}
