import { HostError, hostClosing } from '../../../core/host-error.ts';
import { orAborted } from '../../../core/or-aborted.ts';
import type { OutputView } from './command-output.ts';
import type { CommandExit, RunningCommand } from './start-command.ts';
import { msg } from '../../../messages/index.ts';

const maxRunning = 20;
/** Number of ended tasks to remember; the oldest are removed first. */
const maxEnded = 50;
/** Time between SIGTERM and SIGKILL. */
const killGraceMs = 5_000;

/** A command that continues after its call was answered. */
export interface CommandTask {
  taskId: string;
  command: string;
  cwd: string;
  state: 'running' | 'done' | 'killed' | 'timed-out';
  startedAt: string;
  endedAt: string | null;
  /** Null while it runs. */
  exitCode: number | null;
  signal?: string;
  /** Additional information about its end, for people and models. */
  note?: string;
}

interface Entry {
  task: CommandTask;
  running: RunningCommand;
  ended: Promise<void>;
  timer: NodeJS.Timeout | undefined;
}

/** The background commands of this host; they end together with it. */
export class CommandTaskRegistry {
  private readonly entries = new Map<string, Entry>();
  private starting = 0;
  private lastNumber = 0;
  private closed = false;

  /**
   * Starts a background command with `start`. Without `timeoutMs` it may run as long as the host.
   * @throws HostError `too_many_tasks`, or the error of `start`
   */
  async add(
    about: Pick<CommandTask, 'command' | 'cwd'>,
    start: () => Promise<RunningCommand>,
    timeoutMs?: number,
  ): Promise<CommandTask> {
    this.requireCapacity();
    this.starting += 1;
    const running = await start().finally(() => (this.starting -= 1));
    if (this.closed) await running.stop(0);
    this.lastNumber += 1;
    const taskId = `command-${this.lastNumber}`;
    const startedAt = new Date().toISOString();
    const task: CommandTask = {
      taskId,
      ...about,
      state: 'running',
      startedAt,
      endedAt: null,
      exitCode: null,
    };
    const entry: Entry = { task, running, ended: Promise.resolve(), timer: undefined };
    entry.ended = running.ended.then((exit) => this.end(entry, exit));
    if (timeoutMs !== undefined)
      entry.timer = setTimeout(() => void this.stop(entry, 'timed-out'), timeoutMs);
    this.entries.set(taskId, entry);
    return { ...task };
  }

  /** Returns the tasks in start order. */
  list(): CommandTask[] {
    return [...this.entries.values()].map(({ task }) => ({ ...task }));
  }

  /** Returns the output so far; undefined for an unknown id, also of a removed task. */
  output(taskId: string): (CommandTask & OutputView) | undefined {
    const entry = this.entries.get(taskId);
    return entry && { ...entry.task, ...entry.running.output.view() };
  }

  /** Resolves when the task has ended or `signal` is aborted; immediately for an unknown id. */
  async wait(taskId: string, signal: AbortSignal): Promise<void> {
    const ended = this.entries.get(taskId)?.ended;
    if (ended) await orAborted(ended, signal).catch(() => undefined);
  }

  /**
   * Sends SIGTERM and after 5 s SIGKILL; resolves when the task has ended, immediately if it was
   * not running.
   */
  async kill(taskId: string): Promise<void> {
    const entry = this.entries.get(taskId);
    if (entry?.task.state === 'running') await this.stop(entry, 'killed');
  }

  async close(): Promise<void> {
    this.closed = true;
    const all = [...this.entries.values()];
    await Promise.all(all.map((entry) => this.stop(entry, 'killed', 0)));
  }

  private async stop(
    entry: Entry,
    state: 'killed' | 'timed-out',
    graceMs = killGraceMs,
  ): Promise<void> {
    if (entry.task.state === 'running') entry.task.state = state;
    await entry.running.stop(graceMs);
    await entry.ended;
  }

  private end(entry: Entry, exit: CommandExit): void {
    clearTimeout(entry.timer);
    const { task } = entry;
    if (task.state === 'running') task.state = 'done';
    Object.assign(task, exit, { endedAt: new Date().toISOString() });
    const over = [...this.entries.values()].filter(({ task: { endedAt } }) => endedAt !== null);
    for (const { task: old } of over.slice(0, -maxEnded)) this.entries.delete(old.taskId);
  }

  private requireCapacity(): void {
    if (this.closed) throw hostClosing();
    const running = this.list().filter(({ endedAt }) => endedAt === null).length;
    if (running + this.starting < maxRunning) return;
    const message = msg('tasks.tooMany', { limit: maxRunning });
    throw new HostError('conflict', 'too_many_tasks', message);
  }
}
