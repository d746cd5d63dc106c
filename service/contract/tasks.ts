import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';

export const TaskStatus = z.enum(['running', 'completed', 'failed', 'killed']);
export type TaskStatus = z.output<typeof TaskStatus>;

/** A command or workflow that continues after the call that started it has returned. */
export const Task = z.object({
  taskId: z.string(),
  kind: z.enum(['command', 'workflow']),
  /** The command line, or the name of the workflow. */
  title: z.string(),
  status: TaskStatus,
  startedAt: z.string(),
  finishedAt: z.string().optional(),
  /** For a workflow. */
  runId: z.string().optional(),
});
export type Task = z.output<typeof Task>;

/**
 * A task with its output so far; beginning and end of a long one. A workflow writes JSON `{runId,
 * status, summary?, results?}` to `stdout` and its error to `stderr`, and has no exit code.
 */
export const TaskOutput = Task.extend({
  exitCode: z.int().nullable(),
  signal: z.string().optional(),
  /** Additional information about the end of the task. */
  note: z.string().optional(),
  stdout: z.string(),
  stderr: z.string(),
  stdoutTruncated: z.boolean(),
  stderrTruncated: z.boolean(),
  output: z.string(),
  truncated: z.boolean(),
});
export type TaskOutput = z.output<typeof TaskOutput>;

const ById = z.object({ taskId: z.string().max(100) });

export const tasks = {
  list: endpoint({
    method: 'GET',
    path: '/api/agent/tasks',
    access: token,
    summary:
      'What runs in the background, and what ended there a while ago, in the order of its start',
    reply: z.array(Task),
  }),
  output: endpoint({
    method: 'GET',
    path: '/api/agent/tasks/{taskId}/output',
    access: token,
    summary: 'A task with what it has written so far',
    params: ById,
    reply: TaskOutput,
    problems: ['unknown_task'],
  }),
  kill: endpoint({
    method: 'POST',
    path: '/api/agent/tasks/{taskId}/kill',
    access: token,
    summary:
      'End a task: a command is asked to, and killed 5 s later, a run is cancelled; one that has ended stays as it is',
    params: ById,
    reply: Task,
    problems: ['unknown_task'],
  }),
} as const;
