import { HostError } from '../../../core/host-error.ts';
import { withTimeoutOrNull } from '../../../core/with-timeout.ts';
import { ensureFolder } from '../../../platform/ensure-folder.ts';
import { processEnvironment } from '../../../platform/process-environment.ts';
import type { OwnedProcess, Processes } from '../../../platform/processes.ts';
import { commandLine } from './command-line.ts';
import { type HookAnswer, noAnswer, timeLimitMs, tookTooLong } from './hook-answer.ts';
import { captureOutput } from './captured-output.ts';
import type { RunnableHook } from './runnable-hook.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** Limit for each of stdout and stderr. */
export const maxCapturedBytes = 64 * 1024;
/** A hook that prints more than this counts as broken and is ended. */
const maxOutputBytes = 256 * 1024 * 1024;
const maxOutputText = '256 MiB';
/**
 * Time between the end of the process and the end of its output. Only an escaped child process
 * keeps the output open longer.
 */
const drainLimitMs = 1_000;

/** One run of a command hook. Aborting `signal` ends its processes. */
export interface HookRun {
  hook: RunnableHook;
  /** JSON text. */
  payload: string;
  /** The working folder for hooks without one of their own. */
  workspace: string;
  signal: AbortSignal;
}

/**
 * Starts the hook, sends it the payload, and waits until all of its processes have ended. Never
 * throws.
 */
export async function runCommandHook(processes: Processes, run: HookRun): Promise<HookAnswer> {
  let started: OwnedProcess;
  try {
    started = await start(processes, run);
  } catch (error) {
    const reason = error instanceof HostError ? error.text : msg('hooks.unknownReason');
    return { ...noAnswer, failure: msg('hooks.notStarted'), detail: reason };
  }
  return watch(started, run);
}

async function start(processes: Processes, { hook, workspace }: HookRun): Promise<OwnedProcess> {
  const cwd = hook.cwd ?? workspace;
  if (hook.plugin !== null) await ensureFolder(hook.plugin.data);
  const usual = processEnvironment();
  const { program, args, env } = await commandLine(hook, cwd, usual['PATH']);
  return processes.spawn({
    program,
    args,
    cwd,
    env: {
      ...usual,
      // Compiled files would change the plugin, whose trust is bound to its current content.
      PYTHONDONTWRITEBYTECODE: '1',
      CLAUDE_PROJECT_DIR: workspace,
      // At level 1, bash takes a socket on stdin for a remote login and runs `~/.bashrc`.
      SHLVL: '1',
      ...hook.variables,
      HOST_HOOK_EVENT: hook.event,
      ...env,
    },
  });
}

async function watch(
  started: OwnedProcess,
  { hook, payload, signal }: HookRun,
): Promise<HookAnswer> {
  const termination = new Termination(started);
  let bytes = 0;
  const count = (more: number): void => {
    bytes += more;
    if (bytes > maxOutputBytes)
      termination.start(msg('hooks.printedTooMuch', { limit: maxOutputText }));
  };
  const output = captureOutput(started.stdout, maxCapturedBytes, count);
  const errors = captureOutput(started.stderr, maxCapturedBytes, count);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = termination.start(tookTooLong(hook.timeoutSeconds));
  }, timeLimitMs(hook.timeoutSeconds));
  const cancel = (): void => void termination.start(msg('hooks.cancelled'));
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  started.stdin.end(`${payload}\n`);

  const exit = await Promise.race([started.exited, termination.done]);
  clearTimeout(timer);
  signal.removeEventListener('abort', cancel);
  await started.terminate(0);
  await withTimeoutOrNull(drainLimitMs, Promise.all([output.ended, errors.ended]));
  for (const stream of [started.stdin, started.stdout, started.stderr]) stream.destroy();
  const code = termination.reason === null ? (exit?.code ?? null) : null;
  const crash = code === null ? endedBy(exit?.signal ?? null) : null;
  return {
    exitCode: code,
    timedOut,
    stdout: output.text(),
    stderr: errors.text(),
    stdoutCut: output.isCut(),
    failure: termination.reason ?? crash,
  };
}

const endedBy = (signal: string | null): Message =>
  signal === null ? msg('hooks.endedBySystem') : msg('hooks.endedBySignal', { signal });

/** Ends a hook early and remembers the reason. */
class Termination {
  reason: Message | null = null;
  /** Resolves after the kill, because the exit event may never come. */
  readonly done: Promise<null>;
  #resolve: (nothing: null) => void = () => undefined;
  readonly #started: OwnedProcess;

  constructor(started: OwnedProcess) {
    this.#started = started;
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Returns false if another reason came first. */
  start(reason: Message): boolean {
    if (this.reason !== null) return false;
    this.reason = reason;
    void this.#started.terminate(0).then(() => this.#resolve(null));
    return true;
  }
}
