import { expect, it } from 'vitest';
import { Channel } from '../../../core/channel.ts';
import type { StreamEvent } from '../../../http/reply.ts';
import { migrate } from '../../../platform/database/migrate.ts';
import { openDatabase } from '../../../platform/database/open-database.ts';
import { everyDatabase } from '../../../testing/database-servers/index.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import type { CallGate } from '../../call-gate/index.ts';
import type { Tool } from '../../tools/index.ts';
import type { RunRow } from '../runs/run-row.ts';
import { RunStore } from '../runs/run-store.ts';
import { AgentRun } from './agent-run.ts';

const [sqlite] = everyDatabase.filter(({ type }) => type === 'SQLITE');
const used = useDatabase(sqlite!);

const step = (name: string) => ({ title: '', tool: name, arguments: {}, dependsOn: [] });
const row: RunRow = {
  runId: 'run',
  goal: 'Wait',
  status: 'planning',
  posture: 'sandboxed',
  request: { config: {} },
  plan: { steps: [step('asked'), step('ends-database')] },
  summary: null,
  error: null,
  parentRunId: null,
  batchId: null,
  workflowId: null,
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
  finishedAt: null,
};

it('a run that loses its database ends although a step waits for approval, and emits nothing more', async () => {
  await migrate(used.current);
  const database = await openDatabase(used.made.config);
  const store = new RunStore(database);
  await store.add(row);
  const asked = Promise.withResolvers<void>();
  const tool = (name: string): Tool => ({
    name,
    description: '',
    inputSchema: { type: 'object' },
    effect: 'external',
    async run() {
      await asked.promise;
      await database.close();
      return { success: true, output: 'closed' };
    },
  });
  const gate: CallGate = {
    tools: () => Promise.resolve([tool('asked'), tool('ends-database')]),
    judge: ({ tool: { name } }) =>
      Promise.resolve({
        verdict: name === 'asked' ? ('ask' as const) : ('allow' as const),
        reason: 'So it was made.',
        suggestedRules: [],
      }),
    granted: () => new Promise(() => undefined),
    remember: () => Promise.resolve(),
    run: (called, args, run) => called.run({ ...run, arguments: args }),
    ran: () => Promise.resolve(),
    sandboxed: true,
  };
  const channel = new Channel<StreamEvent>();
  const received: string[] = [];
  const ended = new Promise<unknown>((resolve) =>
    channel.open({
      send({ event }) {
        received.push(event);
        if (event === 'step_approval_requested') asked.resolve();
      },
      end: resolve,
    }),
  );
  const errors: string[] = [];
  const run = new AgentRun({
    row: structuredClone(row),
    store,
    channel,
    gateOf: () => gate,
    files: new Map(),
    answer: () => Promise.resolve(''),
    draft: () => Promise.reject(new Error('There is a plan.')),
    check: () => Promise.resolve(),
    planApproval: false,
    isCall: false,
    stepEnded: () => undefined,
    gateUnwatched: () => undefined,
    onError: (what) => errors.push(what),
  });
  expect(await run.start()).toMatchObject({ status: 'failed' });
  expect(await ended).toBeInstanceOf(Error);
  expect(received).toContain('step_start');
  expect(received).not.toContain('step_complete');
  expect(run.gates.pending).toEqual([]);
  expect(errors).toContain('The end of a run could not be stored');
  const events = await new RunStore(used.current).events('run');
  expect(events.map(({ sequence }) => sequence)).toEqual([...events.keys()]);
  expect(events.at(-1)?.type).toBe('step_start');
});
