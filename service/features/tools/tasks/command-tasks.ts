import type { Task, TaskStatus } from '../../../contract/index.ts';
import type { CommandTask, CommandTaskRegistry } from '../command/command-task-registry.ts';
import type { TaskSource } from './task-source.ts';

/** Adapts the background commands to tasks. */
export const commandTasks = (registry: CommandTaskRegistry): TaskSource => ({
  list: () => registry.list().map(taskOf),
  async output(taskId) {
    const found = registry.output(taskId);
    if (!found) return undefined;
    const { exitCode, signal, note, stdout, stderr, output, truncated } = found;
    const { stdoutTruncated, stderrTruncated } = found;
    return {
      ...taskOf(found),
      exitCode,
      stdout,
      stderr,
      stdoutTruncated,
      stderrTruncated,
      output,
      truncated,
      ...(signal === undefined ? {} : { signal }),
      ...(note === undefined ? {} : { note }),
    };
  },
  wait: (taskId, signal) => registry.wait(taskId, signal),
  kill: (taskId) => registry.kill(taskId),
});

function taskOf(task: CommandTask): Task {
  const { taskId, command, startedAt, endedAt } = task;
  return {
    taskId,
    kind: 'command',
    title: command,
    status: statusOf(task),
    startedAt,
    ...(endedAt === null ? {} : { finishedAt: endedAt }),
  };
}

function statusOf({ state, exitCode, endedAt }: CommandTask): TaskStatus {
  if (endedAt === null) return 'running';
  if (state === 'killed') return 'killed';
  return state === 'done' && exitCode === 0 ? 'completed' : 'failed';
}
