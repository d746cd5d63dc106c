import { jsonResult, objectOf, type Tool, type ToolCall, type ToolResult } from '../tool.ts';
import { cancelled, type CommandEnd, commandFailure } from './command-failure.ts';
import { type CommandMachine, type RunningCommand, startCommand } from './start-command.ts';
import { Throttled } from './throttled.ts';
import type { CommandTaskRegistry } from './command-task-registry.ts';
import { commandLocation, type WorkspaceFolders } from './workspace.ts';
import { msg, textOf } from '../../../messages/index.ts';

const defaultTimeoutSeconds = 120;
const maxTimeoutSeconds = 3_600;
/** The system limits an argument to 128 KiB. */
const maxCommandCharacters = 100_000;
/** Time between SIGTERM and SIGKILL when a call is cancelled or times out. */
const stopGraceMs = 500;

/** Dependencies of the tool `execute_command`. */
export interface CommandOptions extends CommandMachine {
  folders(): WorkspaceFolders;
  tasks: CommandTaskRegistry;
}

interface Arguments {
  command: string;
  cwd?: string;
  timeoutSeconds?: number;
  background?: boolean;
  network?: boolean;
}

const inputSchema = {
  type: 'object',
  properties: {
    command: {
      type: 'string',
      minLength: 1,
      maxLength: maxCommandCharacters,
      description: 'The command line, for bash (PowerShell on Windows).',
    },
    cwd: {
      type: 'string',
      maxLength: 4_096,
      description:
        'The folder to run it in; relative paths start in the workspace. Default: the workspace.',
    },
    timeoutSeconds: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: maxTimeoutSeconds,
      description: `After so many seconds it is ended. Default: ${defaultTimeoutSeconds}; a background command runs until it ends.`,
    },
    background: {
      type: 'boolean',
      description: 'Answer at once with a taskId while the command runs on.',
    },
    network: {
      type: 'boolean',
      description:
        'Ask for the network, which commands in the sandbox do not have. Say so only where it is needed.',
    },
  },
  required: ['command'],
};

/**
 * Runs command lines: in a sandbox that contains the workspace, or without one if the caller may.
 */
export function executeCommand(options: CommandOptions): Tool {
  return {
    name: 'execute_command',
    description:
      'Runs a shell command in the workspace and answers its exit code, stdout and stderr. ' +
      'Each call is a new shell without input; what it leaves running ends with it. ' +
      'In the sandbox only the workspace can be written and there is no network.',
    inputSchema,
    resultSchema: objectOf({
      exitCode: { type: ['integer', 'null'] },
      stdout: 'string',
      stderr: 'string',
      output: 'string',
      truncated: 'boolean',
      durationMs: 'number',
      taskId: 'string',
    }),
    effect: 'execute',
    command: ({ command, cwd }) => ({ command, cwd }),
    aliases: [
      'Bash',
      'Shell',
      'shell',
      'PowerShell',
      'local_shell',
      'exec_command',
      'run_shell_command',
      'run_terminal_cmd',
    ],
    run: (call) => run(options, call),
  };
}

async function run(options: CommandOptions, call: ToolCall): Promise<ToolResult> {
  const args = call.arguments as unknown as Arguments;
  if (args.command.includes('\0')) return failed(null, { error: msg('commandRun.nulCharacter') });
  const { sandboxed } = call;
  const location = await commandLocation(options.folders(), args.cwd, sandboxed);
  const network = call.network === true;
  const note: { note?: string } =
    args.network === true && sandboxed && !network
      ? { note: 'The network was not granted, so the command ran without it.' }
      : {};
  const approved = call.approved === true;
  const background = args.background === true;
  const order = { command: args.command, location, sandboxed, network, approved, background };
  call.signal.throwIfAborted();
  if (background) {
    const limitMs = args.timeoutSeconds === undefined ? undefined : args.timeoutSeconds * 1_000;
    const about = { command: args.command, cwd: location.cwd };
    const task = await options.tasks.add(about, () => startCommand(options, order), limitMs);
    return jsonResult({ exitCode: null, taskId: task.taskId, ...runsOn, ...note, ...noOutput });
  }
  const throttled = new Throttled((text) => call.onProgress?.(text));
  const onText = call.onProgress && ((text: string) => throttled.add(text));
  const running = await startCommand(options, { ...order, onText });
  const result = await watch(running, call.signal, args.timeoutSeconds ?? defaultTimeoutSeconds);
  throttled.flush();
  const notes = [note.note, result.note].filter((one) => one !== undefined);
  const outcome = { ...result, ...(notes.length > 0 && { note: notes.join(' ') }) };
  return result.exitCode === 0 && result.error === undefined
    ? jsonResult({ ...outcome, ...running.output.view() })
    : failed(running, outcome);
}

const runsOn = {
  background:
    'The command runs until it ends, its timeoutSeconds are over, or the host ends. Ask for it with task_output or task_wait, and end it with task_kill.',
};

const noOutput = {
  durationMs: 0,
  stdoutTruncated: false,
  stderrTruncated: false,
  truncated: false,
  stdout: '',
  stderr: '',
  output: '',
};

function failed(running: RunningCommand | null, outcome: Partial<Ended>): ToolResult {
  const output = running === null ? noOutput : running.output.view();
  const ended = { exitCode: null, ...outcome };
  const result = {
    ...ended,
    ...(ended.error && { error: textOf(ended.error) }),
    ...output,
  };
  const reason = commandFailure({ ...ended, stderr: output.stderr });
  return { success: false, output: JSON.stringify(result), reason };
}

interface Ended extends CommandEnd {
  note?: string;
  durationMs: number;
}

/** Waits until all processes of the command have ended; ends them on cancellation and time-out. */
async function watch(
  running: RunningCommand,
  signal: AbortSignal,
  timeoutSeconds: number,
): Promise<Ended> {
  const startedMs = performance.now();
  let why: Pick<Ended, 'timedOut' | 'error'> = {};
  const stop = (reason: typeof why): void => {
    why = reason;
    void running.stop(stopGraceMs);
  };
  const cancel = (): void => stop({ error: cancelled });
  const late = msg('commandRun.tookTooLong', {
    seconds: timeoutSeconds,
    most: maxTimeoutSeconds,
  });
  const timer = setTimeout(() => stop({ timedOut: true, error: late }), timeoutSeconds * 1_000);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const exit = await running.ended;
    return { ...exit, durationMs: Math.round(performance.now() - startedMs), ...why };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}
