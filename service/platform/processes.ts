import { withTimeoutOrNull } from '../core/with-timeout.ts';
import { spawn as spawnChild, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { HostError, hostClosing } from '../core/host-error.ts';
import type {
  ControlGroup,
  ControlGroups,
  GroupLimit,
  GroupLimits,
} from './control-groups/control-groups.ts';
import { findControlGroups } from './control-groups/find-control-groups.ts';
import type { Log } from './log.ts';
import { createProcessWatchdog, type ProcessWatchdog } from './process-watchdog.ts';
import { findLimiter, limitedCommand, newMarker, treeVariable } from './process-marker.ts';
import { killTree, signal } from './process-tree.ts';
import { windowsCommand, type WindowsCommand } from './windows-command.ts';
import { type Message, msg } from '../messages/index.ts';

/** The file descriptor of `withDebugPipe`, after those of a sandbox. */
export const debugDescriptor = 5;

const firstFurtherDescriptor = 3;
const killLimitMs = 5_000;
/** Time for a killed process to be reported as ended, in ms. */
const reapLimitMs = 1_000;

/**
 * A process to start. `program` is absolute, `env` is its complete environment, and no shell is
 * involved; only batch files of Windows are run by `cmd.exe`.
 */
export interface ProcessSpec {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Content of its file descriptors 3, 4 and so on. */
  descriptorContents?: readonly (string | Uint8Array)[];
  /**
   * Adds a pipe to it on its file descriptor 3, and one from it on 4. Cannot be combined with
   * `descriptorContents`.
   */
  withPipes?: boolean;
  /** Adds a bidirectional pipe on its file descriptor `debugDescriptor`. */
  withDebugPipe?: boolean;
  /** True if the kernel ends its descendants together with it. */
  endsItsTree?: boolean;
  /**
   * Limits for the process and its descendants together; applied if `Processes.groupLimits` lists
   * them.
   */
  groupLimits?: GroupLimits;
  /**
   * Called once with the id of the started process, before its output is read. Its result is called
   * when the tree is killed, at the latest when the process has ended. If it throws, the process is
   * killed and the start fails.
   */
  onStarted?: (pid: number) => () => void;
}

/** The end of a process. */
export interface ProcessExit {
  /** Null if a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A started process, leader of its own session. The caller that started it owns it. */
export interface OwnedProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Set with `withPipes`. */
  readonly pipes?: { to: Writable; from: Readable };
  /** Set with `withDebugPipe`. */
  readonly debugPipe?: Duplex;
  /**
   * Resolves when the process itself has ended; its remaining descendants are killed from then on.
   */
  readonly exited: Promise<ProcessExit>;
  /**
   * Sends SIGTERM to the group, and SIGKILL after `graceMs` to the whole tree, including processes
   * that left the group. Resolves once no process of the tree is found, at the latest 5 s after the
   * SIGKILL. On Linux the kernel identifies them; elsewhere a process that left its session and
   * cleared its environment is not found.
   */
  terminate(graceMs: number): Promise<void>;
}

/** Starts all child processes. A sandbox wraps it and rewrites the spec. */
export interface Processes {
  /** @throws HostError `spawn_failed` with the name of the program if it cannot start */
  spawn(spec: ProcessSpec): Promise<OwnedProcess>;
  /** Returns the limits that can be set here for a process tree. */
  groupLimits(): Promise<readonly GroupLimit[]>;
  /** Kills all remaining trees; afterwards no process can be started. */
  close(): Promise<void>;
}

/** Dependencies of `createProcesses`, for tests. */
export interface ProcessesOptions {
  /** For tests: the control groups of the system. */
  findGroups?: () => Promise<ControlGroups | null>;
}

/**
 * Creates the process manager. `log` receives a line for each start and end, without arguments and
 * environment, which may contain secrets.
 */
export function createProcesses(
  log?: Pick<Log, 'debug'>,
  { findGroups = findControlGroups }: ProcessesOptions = {},
): Processes {
  const watchdog = createProcessWatchdog();
  const running = new Set<OwnedProcess>();
  const removals = new Set<Promise<void>>();
  let limiter: Promise<string | null> | undefined;
  let closed = false;

  return {
    async spawn(spec) {
      if (closed) throw hostClosing();
      const owned = await startProcess(spec, {
        watchdog,
        limiter: spec.endsItsTree === true ? null : await (limiter ??= findLimiter()),
        groups: await findGroups(),
        onEnded: (ended, removal) => {
          running.delete(ended);
          removals.add(removal);
          void removal.then(() => removals.delete(removal));
        },
      });
      running.add(owned);
      if (log) logEnd(log, basename(spec.program), owned);
      if (!closed) return owned;
      await owned.terminate(0);
      throw hostClosing();
    },
    groupLimits: async () => (await findGroups())?.limits ?? [],
    async close() {
      closed = true;
      await Promise.all([...running].map((owned) => owned.terminate(0)));
      await Promise.all([watchdog.close(), ...removals]);
    },
  };
}

function logEnd(log: Pick<Log, 'debug'>, name: string, { pid, exited }: OwnedProcess): void {
  const startedMs = performance.now();
  log.debug('processes', `${name} started as process ${pid}`);
  void exited.then(({ code, signal: endedBy }) => {
    const ms = Math.round(performance.now() - startedMs);
    log.debug('processes', () => {
      const outcome = endedBy === null ? `with exit code ${code}` : `by ${endedBy}`;
      return `${name} (process ${pid}) ended ${outcome} after ${ms} ms`;
    });
  });
}

interface ProcessContext {
  watchdog: ProcessWatchdog;
  /**
   * Program that marks the processes it starts; null if only the environment carries the marker.
   */
  limiter: string | null;
  groups: ControlGroups | null;
  /** `removal` resolves when its resources in the kernel are released; never rejects. */
  onEnded: (owned: OwnedProcess, removal: Promise<void>) => void;
}

async function startProcess(
  spec: ProcessSpec,
  { watchdog, limiter, groups, onEnded }: ProcessContext,
): Promise<OwnedProcess> {
  const marker = newMarker();
  const group = await groups?.make(marker, spec.groupLimits);
  let child: ChildProcessWithoutNullStreams;
  try {
    watchdog.watch(marker, 0, groups?.folders);
    child = await startChild(spec, marker, { limiter, group });
  } catch (error) {
    watchdog.forget(marker);
    await group?.remove();
    throw await spawnFailure(spec, error);
  }
  const pid = child.pid ?? 0;
  watchdog.watch(marker, pid);

  const { release, refusal } = callOnStarted(spec, pid);
  let killing: Promise<void> | undefined;
  const kill = (): Promise<void> => {
    if (killing !== undefined) return killing;
    release();
    const tree = { leader: pid, marker, isLimited: limiter !== null, group };
    killing = killTree(tree, killLimitMs).then((hasEnded) => {
      if (hasEnded) watchdog.forget(marker);
      onEnded(owned, group?.remove() ?? Promise.resolve());
    });
    return killing;
  };
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signalName) => {
      resolve({ code, signal: signalName });
      void kill();
    });
  });
  const owned: OwnedProcess = {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ...pipesOf(spec, child),
    ...debugPipeOf(spec, child),
    exited,
    async terminate(graceMs) {
      if (graceMs > 0 && killing === undefined && signal(-pid, 'SIGTERM')) {
        await withTimeoutOrNull(graceMs, exited);
      }
      await kill();
      await withTimeoutOrNull(reapLimitMs, exited);
    },
  };
  if (refusal === null) return owned;
  await owned.terminate(0);
  throw refusal;
}

function callOnStarted(
  { onStarted }: ProcessSpec,
  pid: number,
): { release: () => void; refusal: Error | null } {
  const nothing = (): void => undefined;
  try {
    return { release: onStarted?.(pid) ?? nothing, refusal: null };
  } catch (error) {
    const refusal = error instanceof Error ? error : new Error(String(error));
    return { release: nothing, refusal };
  }
}

async function startChild(
  spec: ProcessSpec,
  marker: string,
  { limiter, group }: { limiter: string | null; group: ControlGroup | undefined },
): Promise<ChildProcessWithoutNullStreams> {
  if (!isAbsolute(spec.program)) throw new Error('its path is not absolute');
  let command = commandOf(spec);
  if (limiter === null && group === undefined) return startCommand(spec, marker, command);
  // The wrappers that start it would report a missing program less clearly.
  await access(spec.program, constants.X_OK);
  if (limiter !== null)
    command = { ...limitedCommand(limiter, marker, command), isVerbatim: false };
  if (group) command = { ...group.entering(command.program, command.args), isVerbatim: false };
  return startCommand(spec, marker, command);
}

function startCommand(
  spec: ProcessSpec,
  marker: string,
  { program, args, isVerbatim }: WindowsCommand,
): Promise<ChildProcessWithoutNullStreams> {
  return new Promise((resolve, reject) => {
    const child = spawnChild(program, args, {
      cwd: spec.cwd,
      env: { ...spec.env, [treeVariable]: marker },
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
      shell: false,
      stdio: ['pipe', 'pipe', 'pipe', ...moreOf(spec)],
    }) as ChildProcessWithoutNullStreams;
    child.once('error', reject);
    // A process that could not be started because of the limit of open files has no streams.
    if ((child.stdin as Writable | undefined) === undefined) return;
    writeDescriptors(child, spec.descriptorContents);
    // A broken pipe only means that the process has ended, which `exited` reports.
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', () => undefined);
    }
    child.once('spawn', () => {
      child.off('error', reject);
      child.on('error', () => undefined);
      resolve(child);
    });
  });
}

function moreOf({
  descriptorContents = [],
  withPipes,
  withDebugPipe,
}: ProcessSpec): ('pipe' | 'ignore')[] {
  const more = withPipes === true ? (['pipe', 'pipe'] as const) : descriptorContents.map(piped);
  if (withDebugPipe !== true) return [...more];
  const unused = debugDescriptor - firstFurtherDescriptor - more.length;
  return [...more, ...Array.from({ length: unused }, () => 'ignore' as const), 'pipe'];
}

const piped = (): 'pipe' => 'pipe';

function debugPipeOf(
  { withDebugPipe }: ProcessSpec,
  { stdio }: ChildProcessWithoutNullStreams,
): Pick<OwnedProcess, 'debugPipe'> {
  if (withDebugPipe !== true) return {};
  const debugPipe = stdio[debugDescriptor as 4] as unknown as Duplex;
  debugPipe.on('error', () => undefined);
  return { debugPipe };
}

function pipesOf(
  { withPipes }: ProcessSpec,
  { stdio }: ChildProcessWithoutNullStreams,
): Pick<OwnedProcess, 'pipes'> {
  const [, , , to, from] = stdio as unknown as [unknown, unknown, unknown, Writable, Readable];
  if (withPipes !== true) return {};
  for (const stream of [to, from]) stream.on('error', () => undefined);
  return { pipes: { to, from } };
}

const commandOf = ({ program, args }: ProcessSpec): WindowsCommand =>
  process.platform === 'win32'
    ? windowsCommand(program, args, process.env['SystemRoot'])
    : { program, args: [...args], isVerbatim: false };

function writeDescriptors(
  { stdio }: ChildProcessWithoutNullStreams,
  pieces: ProcessSpec['descriptorContents'] = [],
): void {
  pieces.forEach((piece, index) => {
    const pipe = stdio[firstFurtherDescriptor + index];
    if (!pipe) return;
    pipe.on('error', () => undefined);
    if ('end' in pipe) pipe.end(piece);
  });
}

/** The system reports a missing working directory and a missing program alike. */
async function spawnFailure(spec: ProcessSpec, cause: unknown): Promise<HostError> {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  const folder = await stat(spec.cwd).catch(() => undefined);
  const reasons: Record<string, Message> = {
    ENOENT: msg('processes.noProgram'),
    EACCES: msg('processes.notAllowed'),
    E2BIG: msg('processes.argumentsTooLong'),
    ENOMEM: msg('processes.noMemory'),
    EAGAIN: msg('processes.tooMany'),
    EMFILE: msg('processes.tooManyFiles'),
  };
  const explanation = code === undefined ? undefined : (reasons[code] ?? code);
  const reason = folder?.isDirectory() === true ? explanation : msg('processes.noFolder');
  const detail =
    reason ?? (cause instanceof Error ? cause.message : msg('processes.unknownReason'));
  const message = msg('processes.notStarted', { program: basename(spec.program), reason: detail });
  return new HostError('upstream-failed', 'spawn_failed', message, { cause });
}
