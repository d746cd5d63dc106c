import { afterAll, beforeAll, expect, it } from 'vitest';
import { api, type NewSchedule, type Schedule } from '../../contract/index.ts';
import { type AgentHost, command, startAgentHost } from '../../testing/agent-host.ts';
import { createTestClock, type TestClock } from '../../testing/test-clock.ts';

const { schedules, workflows } = api;
const minute = 60_000;
const day = 24 * 60 * minute;

let clock: TestClock;
let host: AgentHost;
let workflowId: string;
beforeAll(async () => {
  clock = createTestClock('2026-03-02T07:00:00Z');
  host = await startAgentHost({ wallClock: clock });
  await clock.advance(5_000);
  const body = { name: 'Report', plan: { steps: [command('echo done')] } };
  ({ id: workflowId } = await host.client.call(workflows.create, { body }));
  await host.client.call(workflows.publish, { params: { workflowId }, body: { published: true } });
});
afterAll(() => host.close());

const make = (fields: Partial<(typeof NewSchedule)['_input']>): Promise<Schedule> =>
  host.client.call(schedules.create, {
    body: { workflowId, permissionMode: 'full-access', ...fields },
  });
const show = (id: string) => host.client.call(schedules.show, { params: { id } });
const pause = (id: string, paused: boolean) =>
  host.client.call(schedules.change, { params: { id }, body: { paused } });
const daily = { durable: true, cron: '0 9 * * *', timeZone: 'UTC' } as const;

it('a paused schedule runs nothing, also after a restart of the host, and resumes with the next time', async () => {
  const { id } = await make(daily);
  const paused = await pause(id, true);
  expect(paused).toMatchObject({ id, state: 'paused' });
  expect(paused).not.toHaveProperty('nextRunAt');
  expect(await pause(id, true)).toEqual(paused);
  await clock.advance(2 * day);
  expect((await show(id)).history).toEqual([]);

  const { workDirectory } = host;
  await host.stop();
  await host.model.close();
  clock.jump(2 * day);
  host = await startAgentHost({ wallClock: clock, workDirectory });
  await clock.advance(5_000);
  await clock.advance(day);
  expect(await show(id)).toMatchObject({ state: 'paused', history: [] });

  const active = await pause(id, false);
  expect(active).toMatchObject({ state: 'active', nextRunAt: '2026-03-07T09:00:00.000Z' });
  await clock.advance(day);
  await expect.poll(async () => (await show(id)).lastRun?.status).toBe('completed');
  expect((await show(id)).history).toMatchObject([
    { outcome: 'started', dueAt: '2026-03-07T09:00:00.000Z' },
  ]);
  expect((await show(id)).history[0]).not.toHaveProperty('catchUp');
});

it('an interval restarts when it is resumed', async () => {
  const { id } = await make({ intervalSeconds: 3_600 });
  await pause(id, true);
  await clock.advance(90 * minute);
  const { nextRunAt = '' } = await pause(id, false);
  expect(Date.parse(nextRunAt) - clock.now()).toBe(60 * minute);
});

it('a paused schedule counts among the fifty, and not among the finished ones', async () => {
  const { id } = await make({ intervalSeconds: 3_600 });
  await pause(id, true);
  const remaining = 50 - (await host.client.call(schedules.list)).length;
  for (let index = 0; index < remaining; index += 1) await make({ intervalSeconds: 3_600 });
  await expect(make({ intervalSeconds: 3_600 })).rejects.toMatchObject({
    problem: { status: 409, code: 'too_many_schedules' },
  });
  expect((await show(id)).state).toBe('paused');
});

it('a finished schedule can be neither paused nor resumed, and an invalid value is refused', async () => {
  for (const { id } of await host.client.call(schedules.list))
    await host.client.call(schedules.remove, { params: { id } });
  const once = await make({ intervalSeconds: 60, recurring: false, fireImmediately: true });
  await expect.poll(async () => (await show(once.id)).state).toBe('finished');
  for (const paused of [true, false])
    await expect(pause(once.id, paused)).rejects.toMatchObject({
      problem: { status: 409, code: 'schedule_ended' },
    });
  await expect(pause('none', true)).rejects.toMatchObject({ problem: { status: 404 } });
  const answer = await host.ask(`/api/agent/schedules/${once.id}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: '{"paused":"yes"}',
  });
  expect(answer.status).toBe(400);
});
