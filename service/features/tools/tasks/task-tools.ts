import { jsonResult, type Tool, type ToolCall } from '../tool.ts';
import type { Tasks } from './tasks.ts';

const maxWaitMs = 10 * 60_000;
const maxWaitedFor = 20;

const taskId = { type: 'string', minLength: 1, maxLength: 100 } as const;
const timeoutMs = {
  type: 'integer',
  minimum: 0,
  maximum: maxWaitMs,
  description: 'How long to wait for the end. Default: 0, which does not wait.',
} as const;

/** Tools with which models manage their background tasks. */
export function taskTools(tasks: Tasks): Tool[] {
  return [
    {
      name: 'task_output',
      description: 'Answers how a background task stands and what it has written so far.',
      inputSchema: { type: 'object', properties: { taskId, timeoutMs }, required: ['taskId'] },
      effect: 'read',
      aliases: ['TaskOutput', 'BashOutput'],
      async run(call) {
        const { taskId: id, timeoutMs: limitMs = 0 } = call.arguments as unknown as One;
        if (limitMs > 0) await tasks.wait(id, within(limitMs, call));
        call.signal.throwIfAborted();
        return jsonResult(await tasks.output(id));
      },
    },
    {
      name: 'task_wait',
      description: 'Waits until one or all of some background tasks have ended.',
      inputSchema: {
        type: 'object',
        properties: {
          taskIds: { type: 'array', items: taskId, minItems: 1, maxItems: maxWaitedFor },
          mode: { enum: ['any', 'all'], description: 'Default: all.' },
          timeoutMs: { ...timeoutMs, description: 'How long to wait at most. Default: 60 000.' },
        },
        required: ['taskIds'],
      },
      effect: 'read',
      run: (call) => waitFor(tasks, call),
    },
    {
      name: 'task_kill',
      description:
        'Ends a background task: it is asked to, and what still runs of it seconds later is killed.',
      inputSchema: { type: 'object', properties: { taskId }, required: ['taskId'] },
      effect: 'write',
      aliases: ['TaskStop', 'KillShell', 'KillBash'],
      async run(call) {
        const { taskId: id } = call.arguments as unknown as One;
        await tasks.kill(id);
        return jsonResult(await tasks.output(id));
      },
    },
  ];
}

interface One {
  taskId: string;
  timeoutMs?: number;
}

interface Many {
  taskIds: string[];
  mode?: 'any' | 'all';
  timeoutMs?: number;
}

const within = (limitMs: number, { signal }: ToolCall): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);

async function waitFor(tasks: Tasks, call: ToolCall) {
  const { taskIds, mode = 'all', timeoutMs: limitMs = 60_000 } = call.arguments as unknown as Many;
  for (const id of taskIds) tasks.named(id);
  const over = new AbortController();
  const signal = AbortSignal.any([within(limitMs, call), over.signal]);
  const waits = taskIds.map((id) => tasks.wait(id, signal));
  await (mode === 'any' ? Promise.race(waits) : Promise.all(waits));
  over.abort();
  call.signal.throwIfAborted();
  const found = tasks.list().filter((task) => taskIds.includes(task.taskId));
  return jsonResult({ tasks: found });
}
