import type { Task, TaskOutput } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import type { TaskSource } from './task-source.ts';
import { msg } from '../../../messages/index.ts';

/** All background tasks, of every kind. */
export class Tasks {
  private readonly sources: TaskSource[] = [];

  add(source: TaskSource): void {
    this.sources.push(source);
  }

  /** Returns the tasks in start order. */
  list(): Task[] {
    const all = this.sources.flatMap((source) => source.list());
    return all.sort((one, other) => compare(one.startedAt, other.startedAt));
  }

  /** @throws HostError 404 `unknown_task` */
  named(taskId: string): Task {
    const found = this.list().find((task) => task.taskId === taskId);
    if (!found) throw unknownTask(taskId);
    return found;
  }

  /** @throws HostError 404 `unknown_task` */
  async output(taskId: string): Promise<TaskOutput> {
    const found = await this.sourceOf(taskId).output(taskId);
    if (!found) throw unknownTask(taskId);
    return found;
  }

  /**
   * Resolves when the task has ended or `signal` is aborted.
   * @throws HostError 404 `unknown_task`
   */
  wait(taskId: string, signal: AbortSignal): Promise<void> {
    return this.sourceOf(taskId).wait(taskId, signal);
  }

  /** Resolves when the task has ended. @throws HostError 404 `unknown_task` */
  async kill(taskId: string): Promise<void> {
    await this.sourceOf(taskId).kill(taskId);
  }

  private sourceOf(taskId: string): TaskSource {
    const found = this.sources.find((source) =>
      source.list().some((task) => task.taskId === taskId),
    );
    if (!found) throw unknownTask(taskId);
    return found;
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

function unknownTask(taskId: string): HostError {
  const message = msg('tasks.unknown', { id: taskId.slice(0, 100) });
  return new HostError('missing', 'unknown_task', message);
}
