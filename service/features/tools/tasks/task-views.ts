import type { Task, TaskOutput, TaskStatus } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import type { CommandTask, TaskBook } from '../command/task-book.ts';

/** A command as a task of the API. */
export function taskOf(task: CommandTask): Task {
  const { taskId, command, startedAt, endedAt } = task;
  return {
    ...{ taskId, kind: 'command', title: command, status: statusOf(task), startedAt },
    ...(endedAt === null ? {} : { finishedAt: endedAt }),
  };
}

function statusOf({ state, exitCode, endedAt }: CommandTask): TaskStatus {
  if (endedAt === null) return 'running';
  if (state === 'killed') return 'killed';
  return state === 'done' && exitCode === 0 ? 'completed' : 'failed';
}

/** @throws HostError 404 `unknown_task` */
export function taskNamed(tasks: TaskBook, taskId: string): Task {
  const found = tasks.list().find((task) => task.taskId === taskId);
  if (!found) throw unknownTask(taskId);
  return taskOf(found);
}

/** @throws HostError 404 `unknown_task` */
export function outputOf(tasks: TaskBook, taskId: string): TaskOutput {
  const found = tasks.output(taskId);
  if (!found) throw unknownTask(taskId);
  const { exitCode, signal, stdout, stderr, output, truncated } = found;
  const { stdoutTruncated, stderrTruncated } = found;
  return {
    ...taskOf(found),
    ...{ exitCode, stdout, stderr, stdoutTruncated, stderrTruncated, output, truncated },
    ...(signal === undefined ? {} : { signal }),
  };
}

export function unknownTask(taskId: string): HostError {
  const message = `There is no task ${taskId.slice(0, 100)}. It may have ended long ago.`;
  return new HostError('missing', 'unknown_task', message);
}
