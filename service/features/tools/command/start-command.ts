import { constants } from 'node:os';
import { withTimeoutOrNull } from '../../../core/with-timeout.ts';
import type { SandboxSpec, Sandbox } from '../../../platform/isolation/sandbox.ts';
import { passthroughSandbox } from '../../../platform/isolation/sandbox.ts';
import { processEnvironment } from '../../../platform/process-environment.ts';
import { userEnvironment } from '../../../platform/user-environment.ts';
import { signalDescendants } from '../../../platform/process-tree.ts';
import type { Processes, ProcessExit, ProcessSpec } from '../../../platform/processes.ts';
import { CommandOutput } from './command-output.ts';
import { type Guard, guardFor } from './protected/guard.ts';
import type { ProtectedFiles } from './protected/protected-files.ts';
import { shellFor } from './shell.ts';
import type { CommandLocation } from './workspace.ts';

/** Time to wait for output that an ended command left in its pipes. */
const drainMs = 1_000;

/** No person is present, so prompts and pagers are disabled. */
const unattended = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
};

/** The parts of the machine that commands need. */
export interface CommandMachine {
  processes: Processes;
  /** Returns the sandbox of this machine for commands. */
  sandbox: () => Promise<Sandbox>;
  /** The token and the machine key, which commands must not see. */
  ownSecrets: readonly string[];
  /** Keeps commands from files that decide what runs later. */
  protectedFiles: ProtectedFiles;
}

/** A command with its permissions; `location` is where it runs. */
export interface CommandOrder {
  command: string;
  location: CommandLocation;
  sandboxed: boolean;
  network: boolean;
  /** True if a person approved this very call: it may change files that decide what runs later. */
  approved: boolean;
  /** True for a command that runs in the background. */
  background: boolean;
  onText?: (text: string) => void;
}

/** The end of a command. */
export interface CommandExit {
  /** 128 plus the signal number if a signal ended it, as in shells. */
  exitCode: number;
  signal?: NodeJS.Signals;
  /** Additional information for people and models. */
  note?: string;
}

/** A running command with its processes. */
export interface RunningCommand {
  output: CommandOutput;
  /** Resolves when all processes have ended and all output was read. */
  ended: Promise<CommandExit>;
  /** Sends SIGTERM to all processes, and SIGKILL after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** @throws HostError `spawn_failed`, or the reason why its files cannot be protected */
export async function startCommand(
  machine: CommandMachine,
  order: CommandOrder,
): Promise<RunningCommand> {
  const sandbox = order.sandboxed ? await machine.sandbox() : passthroughSandbox;
  const guard = await guardFor(machine.protectedFiles, order, sandbox);
  try {
    return await startGuarded(machine, order, { sandbox, guard });
  } catch (error) {
    await guard.end('');
    throw error;
  }
}

async function startGuarded(
  { processes, ownSecrets }: CommandMachine,
  order: CommandOrder,
  { sandbox, guard }: { sandbox: Sandbox; guard: Guard },
): Promise<RunningCommand> {
  const { location, sandboxed, network } = order;
  const sandboxOptions: SandboxSpec = {
    mounts: [{ path: location.workspace, inside: location.workspace, writable: true }],
    hidden: location.hidden,
    network,
    home: '/tmp',
    ...guard.sandboxOptions,
  };
  const spec: ProcessSpec = {
    ...(await shellFor(order.command)),
    cwd: location.cwd,
    env: { ...(sandboxed ? processEnvironment() : userEnvironment(ownSecrets)), ...unattended },
  };
  const wrapped = sandbox.wrap(guard.checked(spec), sandboxOptions);
  const child = await processes.spawn(wrapped);
  guard.runs({ pid: child.pid, exited: child.exited, end: () => void child.terminate(0) });
  const output = new CommandOutput(order.onText);
  const read = output.read(child.stdout, child.stderr);
  // A program that reads its input finds the end of file.
  child.stdin.end();
  // A sandbox process does not forward signals to the command inside.
  const isInside = process.platform === 'linux' && wrapped.program !== spec.program;
  const finish = async (): Promise<CommandExit> => {
    const exit = await child.exited;
    // Ends processes that the command left running.
    await child.terminate(0);
    await withTimeoutOrNull(drainMs, read);
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    const note = await guard.end(output.view().output);
    return { ...exitOf(exit), ...(note !== undefined && { note }) };
  };
  return {
    output,
    ended: finish(),
    async stop(graceMs) {
      if (!isInside || graceMs === 0) return child.terminate(graceMs);
      await signalDescendants(child.pid, 'SIGTERM');
      await withTimeoutOrNull(graceMs, child.exited);
      return child.terminate(0);
    },
  };
}

const signals = Object.entries(constants.signals) as [NodeJS.Signals, number][];

/** Shells and sandboxes report a signal as an exit code above 128. */
function exitOf({ code, signal }: ProcessExit): CommandExit {
  if (signal !== null) return { exitCode: 128 + constants.signals[signal], signal };
  const signalEntry = signals.find(([, number]) => code === 128 + number);
  return { exitCode: code ?? 1, ...(signalEntry && { signal: signalEntry[0] }) };
}
