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

/** How long output that a dead command left in its pipes is waited for. */
const drainMs = 1_000;

/** Nobody sits before it: what would ask or page must not. */
const unattended = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
};

/** What commands are started with. */
export interface CommandMachine {
  processes: Processes;
  /** What this machine can keep a command in. */
  sandbox: () => Promise<Sandbox>;
  /** The token and the machine key, which no command may see. */
  ownSecrets: readonly string[];
  /** What keeps commands from what decides what runs later. */
  protectedFiles: ProtectedFiles;
}

/** A command with its permissions; `location` is where it runs. */
export interface CommandOrder {
  command: string;
  location: CommandLocation;
  sandboxed: boolean;
  network: boolean;
  /** A person decided about this very call: it may change what decides what runs later. */
  approved: boolean;
  /** Nobody waits for its end. */
  background: boolean;
  onText?: (text: string) => void;
}

/** The end of a command. */
export interface CommandExit {
  /** 128 and the number of the signal where one ended it, as shells say it. */
  exitCode: number;
  signal?: NodeJS.Signals;
  /** What a person or a model should know of it. */
  note?: string;
}

/** A running command with its processes. */
export interface RunningCommand {
  output: CommandOutput;
  /** It has ended, nothing of it runs any more, and all its output was read. */
  ended: Promise<CommandExit>;
  /** SIGTERM to all of it, after `graceMs` SIGKILL. */
  stop(graceMs: number): Promise<void>;
}

/** @throws HostError `spawn_failed`, and what keeps its files from being protected */
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
  // Whoever reads its input finds the end.
  child.stdin.end();
  // A box of its own passes no signal on to what is inside.
  const isInside = process.platform === 'linux' && wrapped.program !== spec.program;
  const finish = async (): Promise<CommandExit> => {
    const exit = await child.exited;
    // What it left running goes with it.
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

/** Shells and boxes tell of a signal by an exit code above 128. */
function exitOf({ code, signal }: ProcessExit): CommandExit {
  if (signal !== null) return { exitCode: 128 + constants.signals[signal], signal };
  const signalEntry = signals.find(([, number]) => code === 128 + number);
  return { exitCode: code ?? 1, ...(signalEntry && { signal: signalEntry[0] }) };
}
