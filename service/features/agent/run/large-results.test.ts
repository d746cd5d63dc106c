import { expect, it } from 'vitest';
import { Channel } from '../../../core/channel.ts';
import type { StreamEvent } from '../../../http/reply.ts';
import { migrate } from '../../../platform/database/migrate.ts';
import { everyDatabase } from '../../../testing/database-servers/index.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import type { CallGate } from '../../call-gate/index.ts';
import type { Tool } from '../../tools/index.ts';
import type { RunRow } from '../runs/run-row.ts';
import { RunStore } from '../runs/run-store.ts';
import { detailsOf } from '../runs/run-views.ts';
import { AgentRun } from './agent-run.ts';
import { inheritedFrom } from './inherited.ts';

const [sqlite] = everyDatabase.filter(({ type }) => type === 'SQLITE');
const used = useDatabase(sqlite!);
const mebibyte = 1024 * 1024;

const answers: Record<string, () => string> = {
  large: () => `the head ${'x'.repeat(50 * mebibyte)} the tail`,
  seven: () => JSON.stringify({ text: 'y'.repeat(7 * mebibyte) }),
  small: () => 'small',
};
const step = (tool: string, dependsOn: number[] = [], args: object = {}) => ({
  title: '',
  tool,
  dependsOn,
  onFailure: 'continue' as const,
  arguments: args as Record<string, unknown>,
});

/** Runs these steps to the end. */
async function done(runId: string, steps: ReturnType<typeof step>[], inherited = {}) {
  const store = new RunStore(used.current);
  const at = new Date().toISOString();
  const row: RunRow = {
    runId,
    goal: 'Large',
    status: 'planning',
    posture: 'sandboxed',
    request: { config: {} },
    plan: { steps },
    summary: null,
    error: null,
    parentRunId: null,
    batchId: null,
    workflowId: null,
    createdAt: at,
    updatedAt: at,
    finishedAt: null,
  };
  await store.add(row);
  const tools = Object.entries(answers).map(([name, output]): Tool => ({
    name,
    description: '',
    inputSchema: { type: 'object' },
    effect: 'read',
    run: () => Promise.resolve({ success: true, output: output() }),
  }));
  const gate: CallGate = {
    tools: () => Promise.resolve(tools),
    judge: () => Promise.resolve({ verdict: 'allow', reason: 'So.', suggestedRules: [] }),
    granted: () => new Promise(() => undefined),
    remember: () => Promise.resolve(),
    run: (called, args, run) => called.run({ ...run, arguments: args }),
    ran: () => Promise.resolve(),
    sandboxed: true,
  };
  const run = new AgentRun({
    row,
    store,
    channel: new Channel<StreamEvent>(),
    gateOf: () => gate,
    files: new Map(),
    answer: () => Promise.resolve(''),
    draft: () => Promise.reject(new Error('There is a plan.')),
    check: () => Promise.resolve(),
    planApproval: false,
    isCall: false,
    stepEnded: () => undefined,
    gateUnwatched: () => undefined,
    onError: () => undefined,
    ...inherited,
  });
  await run.start();
  const events = await store.events(runId);
  return { ...detailsOf(run.row, events, []), stored: JSON.stringify(events).length };
}

it('an answer of 50 MiB is shortened for people; steps that use it fail, and steps that only wait for it run', async () => {
  await migrate(used.current);
  const steps = [
    step('large'),
    step('small', [0], { text: '{{steps.0.result}}' }),
    step('small', [0]),
  ];
  const { executions, stored } = await done('first', steps);
  expect(executions.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);
  const [large, reads] = executions;
  expect(large?.cutBytes).toBe(50 * mebibyte + 18);
  expect(large?.result).toMatch(/^the head x+\n\[… \d+ characters omitted …\]\nx+ the tail$/);
  expect(reads?.error).toMatch(/result of step 1 is too large to store \(51201 KiB\)/);
  expect(stored).toBeLessThan(mebibyte / 4);

  const next = await done('second', steps, { inherited: inheritedFrom(executions, 3) });
  expect(next.executions[0]).toMatchObject({ status: 'completed', inherited: true });
  expect(next.executions[0]?.cutBytes).toBe(large?.cutBytes);
  expect(next.executions[1]?.error).toBe(reads?.error);
});

it('a run keeps 64 MiB of results; later large ones are shortened, and small ones are complete', async () => {
  await migrate(used.current);
  const steps = Array.from({ length: 10 }, (_, index) =>
    step('seven', index === 0 ? [] : [index - 1]),
  );
  const { executions, stored } = await done('full', [...steps, step('small', [9])]);
  expect(executions.map(({ status }) => status)).toEqual(Array(11).fill('completed'));
  expect(executions.map(({ cutBytes }) => cutBytes !== undefined)).toEqual([
    ...[...Array<boolean>(9).fill(false), true],
    false,
  ]);
  expect(executions[10]?.result).toBe('small');
  expect(stored).toBeLessThan(65 * mebibyte);
});
