import type { Task, TaskStatus } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { msg, textOf } from '../../../messages/index.ts';
import { orAborted } from '../../../core/or-aborted.ts';
import type { RunEnding } from '../../agent/index.ts';
import { type TaskSource, type WrittenText, writtenText } from '../../tools/index.ts';
import type { RunStarter } from '../run-workflow.ts';

const maxRunning = 20;
/** Number of ended tasks to remember; the oldest are removed first. Their runs remain. */
const maxRetained = 50;

interface Entry {
  task: Task & { runId: string };
  /** Null while it runs. */
  written: WrittenText | null;
  ended: Promise<void>;
}

const statuses: Readonly<Record<RunEnding['status'], TaskStatus>> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'killed',
  interrupted: 'failed',
};

/** Runs of workflows that continue after the call that started them was answered. */
export class WorkflowTasks implements TaskSource {
  private readonly entries = new Map<string, Entry>();
  private readonly starter: RunStarter;
  private starting = 0;
  private lastNumber = 0;

  constructor(starter: RunStarter) {
    this.starter = starter;
  }

  /** @throws HostError 409 `too_many_tasks`, or the error of `start` */
  async add(
    title: string,
    start: () => ReturnType<RunStarter['start']>,
  ): Promise<{ taskId: string; runId: string }> {
    this.requireCapacity();
    this.starting += 1;
    const { runId, ended } = await start().finally(() => (this.starting -= 1));
    this.lastNumber += 1;
    const taskId = `workflow-${this.lastNumber}`;
    const startedAt = new Date().toISOString();
    const entry: Entry = {
      task: { taskId, kind: 'workflow', title, status: 'running', startedAt, runId },
      written: null,
      ended: Promise.resolve(),
    };
    entry.ended = ended.catch(unknownOutcome).then((outcome) => this.end(entry, outcome));
    this.entries.set(taskId, entry);
    return { taskId, runId };
  }

  list(): Task[] {
    return [...this.entries.values()].map(({ task }) => ({ ...task }));
  }

  async output(taskId: string) {
    const entry = this.entries.get(taskId);
    if (!entry) return undefined;
    const written = entry.written ?? (await this.statusOf(entry));
    return { ...entry.task, exitCode: null, ...written };
  }

  /**
   * Reading a task does not count as watching its run: a step that waits for a person does not wait
   * longer.
   */
  private async statusOf({ task: { runId } }: Entry): Promise<WrittenText> {
    const { status } = await this.starter.row(runId);
    return writtenText(JSON.stringify({ runId, status }), '');
  }

  async wait(taskId: string, signal: AbortSignal): Promise<void> {
    const ended = this.entries.get(taskId)?.ended;
    if (ended) await orAborted(ended, signal).catch(() => undefined);
  }

  /** Cancels the run, which ends everything it has started. */
  async kill(taskId: string): Promise<void> {
    const entry = this.entries.get(taskId);
    if (entry?.task.status !== 'running') return;
    // A run that cannot be cancelled any more is about to end.
    await this.starter.cancel(entry.task.runId).catch(() => undefined);
    await entry.ended;
  }

  private async end(entry: Entry, outcome: RunEnding): Promise<void> {
    entry.written = await this.writtenBy(entry.task.runId, outcome);
    entry.task.status = statuses[outcome.status];
    entry.task.finishedAt = new Date().toISOString();
    const over = [...this.entries.values()].filter(({ written }) => written !== null);
    for (const { task } of over.slice(0, -maxRetained)) this.entries.delete(task.taskId);
  }

  private async writtenBy(runId: string, { status, summary, error = '' }: RunEnding) {
    // In this case the host is closing, and the database with it.
    const results = status === 'interrupted' ? undefined : await this.resultsOf(runId);
    return writtenText(
      JSON.stringify({ runId, status, summary: summary && textOf(summary), results }),
      textOf(error),
    );
  }

  /**
   * Returns the results by step index; undefined if they cannot be read, so that only the run has
   * them.
   */
  private async resultsOf(runId: string): Promise<unknown[] | undefined> {
    const details = await this.starter.show(runId).catch(() => undefined);
    return details?.executions
      .filter(({ element }) => element === undefined)
      .map(({ result }) => result ?? null);
  }

  private requireCapacity(): void {
    const running = this.list().filter(({ status }) => status === 'running').length;
    if (running + this.starting < maxRunning) return;
    const text = msg('workflow.tooManyTasks', { count: maxRunning });
    throw new HostError('conflict', 'too_many_tasks', text);
  }
}

/** The run is over; only reading its outcome failed. */
const unknownOutcome = (): RunEnding => ({
  status: 'failed',
  error: msg('workflow.outcomeUnknown'),
});
