import { from } from './requirement.ts';

export const task = [
  ...from('Behaviours tied to endpoints', {
    'TASK-01':
      '`task_submit_workflow(workflowId, inputs)` starts a background task and returns its `taskId`.',
    'TASK-02': '`task_output(taskId, timeoutMs)` returns the output of a task.',
    'TASK-03': '`task_wait(ids, any or all, timeoutMs)` waits for any or all of the tasks.',
    'TASK-04': '`task_kill(taskId)` cancels cooperatively first.',
    'TASK-05': 'For process-backed tasks `task_kill` sends SIGTERM, then SIGKILL.',
    'TASK-06': '`task_schedule` makes a schedule.',
  }),
  ...from('Schedule and task', {
    'TASK-07':
      'A schedule starts a published workflow at an interval, with a recurring flag and an optional immediate first fire.',
    'TASK-08': 'A task is identified by its `taskId`.',
  }),
  ...from('Agent', {
    'TASK-09': '`GET /api/agent/tasks` answers the background tasks.',
    'TASK-10': '`POST /api/agent/schedules` takes a schedule definition.',
  }),
];
