import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../client/index.ts';
import { api, type NewSchedule, type Schedule } from '../../contract/index.ts';
import { type AgentHost, command, startAgentHost } from '../../testing/agent-host.ts';
import { createTestClock, type TestClock } from '../../testing/test-clock.ts';
import { refusal } from '../../testing/refusal.ts';

type ScheduleInput = (typeof NewSchedule)['_input'];

const { schedules, workflows } = api;
const minute = 60_000;
const day = 24 * 60 * minute;
const fullAccess = { permissionMode: 'full-access' } as const;

let clock: TestClock;
let host: AgentHost;
beforeAll(async () => {
  clock = createTestClock('2026-03-02T07:00:00Z');
  host = await startAgentHost({ wallClock: clock });
  await clock.advance(5_000);
});
afterAll(() => host.close());
afterEach(async () => {
  for (const { id } of await list()) await remove(id);
});

const list = () => host.client.call(schedules.list);
const show = (id: string) => host.client.call(schedules.show, { params: { id } });
const remove = (id: string) => host.client.call(schedules.remove, { params: { id } });
const make = (body: ScheduleInput) => host.client.call(schedules.create, { body });

async function store(steps: object[], properties: object = {}, more: object = {}): Promise<string> {
  const inputSchema = { type: 'object', properties, ...more };
  const body = { name: 'Report', inputSchema, plan: { steps } };
  const { id } = await host.client.call(workflows.create, { body: body as never });
  return id;
}
const publish = (workflowId: string, published: boolean) =>
  host.client.call(workflows.publish, { params: { workflowId }, body: { published } });
async function published(...args: Parameters<typeof store>): Promise<string> {
  const id = await store(...args);
  await publish(id, true);
  return id;
}
const quick = () => published([command('echo done')]);

const runsOf = async (workflowId: string) =>
  (await host.client.call(api.agent.runs, { query: { limit: 100 } })).filter(
    (run) => run.workflowId === workflowId,
  );
const lastEnds = (id: string, status = 'completed') =>
  expect.poll(async () => (await show(id)).lastRun?.status, { timeout: 10_000 }).toBe(status);
const notifications = async () =>
  (await host.client.call(api.notifications.list, { query: {} })).filter(({ title }) =>
    title.startsWith('Not run'),
  );

describe('a schedule', () => {
  it('starts a run immediately on request, then after each interval [TASK-07, TASK-10]', async () => {
    const workflowId = await published(
      [command('printf "Hello %s" {{inputs.who}}')],
      { who: { type: 'string' } },
      { required: ['who'] },
    );
    const made = await make({
      workflowId,
      inputs: { who: 'Zoë' },
      intervalSeconds: 90,
      fireImmediately: true,
      ...fullAccess,
    });
    const now = clock.now();
    const later = (ms: number): string => new Date(now + ms).toISOString();
    expect(made).toMatchObject({
      workflowId,
      workflowName: 'Report',
      inputs: { who: 'Zoë' },
      durable: false,
      intervalSeconds: 90,
      recurring: true,
      state: 'active',
      createdAt: later(0),
      nextRunAt: later(90_000),
      expiresAt: later(7 * day),
      lastRun: { status: 'running' },
      history: [{ dueAt: later(0), outcome: 'started' }],
    });
    await lastEnds(made.id);
    const { lastRun } = await show(made.id);
    const run = await host.show(lastRun?.runId ?? '');
    expect(run).toMatchObject({ workflowId, status: 'completed' });
    expect(run.executions[0]?.result).toMatchObject({ stdout: 'Hello Zoë' });
    await clock.advance(89_999);
    expect(await runsOf(workflowId)).toHaveLength(1);
    await clock.advance(1);
    await lastEnds(made.id);
    await clock.advance(90_000);
    expect(await runsOf(workflowId)).toHaveLength(3);
    expect((await show(made.id)).history.map(({ dueAt }) => dueAt)).toEqual([
      ...[later(180_000), later(90_000), later(0)],
    ]);
    expect(await list()).toMatchObject([{ id: made.id, nextRunAt: later(270_000) }]);
  });

  it('that is not recurring starts one run, and is then finished', async () => {
    const workflowId = await quick();
    const once = { workflowId, intervalSeconds: 60, recurring: false, ...fullAccess };
    const [later, now] = [await make(once), await make({ ...once, fireImmediately: true })];
    expect(now).toMatchObject({ state: 'finished', history: [{ outcome: 'started' }] });
    expect(now).not.toHaveProperty('nextRunAt');
    await lastEnds(now.id);
    await clock.advance(10 * minute);
    await lastEnds(later.id);
    expect(await show(later.id)).toMatchObject({ state: 'finished', history: [{}] });
    expect(await runsOf(workflowId)).toHaveLength(2);
  });

  it('ends automatically after seven days [LIMIT-12]', async () => {
    const workflowId = await quick();
    const made = await make({ workflowId, intervalSeconds: 3 * 24 * 3_600, ...fullAccess });
    for (const runs of [1, 2]) {
      await clock.advance(3 * day);
      await lastEnds(made.id);
      expect(await runsOf(workflowId)).toHaveLength(runs);
    }
    const near = await show(made.id);
    expect(near.state).toBe('active');
    expect(near).not.toHaveProperty('nextRunAt');
    await clock.advance(day - 1);
    expect((await show(made.id)).state).toBe('active');
    await clock.advance(1);
    expect((await show(made.id)).state).toBe('expired');
    await clock.advance(7 * day);
    expect(await runsOf(workflowId)).toHaveLength(2);
  });

  it('has an interval of at least 60 seconds [LIMIT-10]', async () => {
    const workflowId = await quick();
    expect(await refusal(make({ workflowId, intervalSeconds: 59 }))).toEqual({
      status: 400,
      code: 'invalid_body',
      errors: ['intervalSeconds must be at least 60'],
    });
    expect(await make({ workflowId, intervalSeconds: 60 })).toMatchObject({ intervalSeconds: 60 });
  });

  it('is one of at most fifty active ones, however many are created at once [LIMIT-11]', async () => {
    const workflowId = await quick();
    const wishes = Array.from({ length: 53 }, (_, index) =>
      make(
        index % 2 === 0
          ? { workflowId, intervalSeconds: 3_600 }
          : { workflowId, durable: true, cron: '0 0 1 1 *', timeZone: 'UTC' },
      ).catch((error: unknown) => error),
    );
    const made = await Promise.all(wishes);
    const refused = made.filter((one) => one instanceof ServiceError);
    expect(refused.map(({ problem }) => [problem.status, problem.code])).toEqual(
      Array(3).fill([409, 'too_many_schedules']),
    );
    expect(await list()).toHaveLength(50);
    await remove((await list())[7]?.id ?? '');
    await make({ workflowId, intervalSeconds: 3_600 });
  });

  it('that could not run is refused with a helpful message', async () => {
    const workflowId = await store([command('echo {{inputs.n}}')], { n: { type: 'integer' } });
    const every = { workflowId, intervalSeconds: 60 };
    const refused = async (body: object) => refusal(make(body as ScheduleInput));
    expect(await refused(every)).toMatchObject({ status: 409, code: 'workflow_not_published' });
    await publish(workflowId, true);
    expect(await refused({ ...every, workflowId: 'none' })).toMatchObject({
      status: 404,
      code: 'unknown_workflow',
    });
    expect(await refused({ ...every, inputs: { n: 'x', m: 1 } })).toMatchObject({
      status: 422,
      code: 'invalid_inputs',
      errors: [expect.stringMatching(/^inputs.m /)] as unknown,
    });
    const durable = { workflowId, durable: true, cron: '0 9 * * *', timeZone: 'UTC' };
    for (const [body, field] of [
      [{ workflowId }, /^intervalSeconds is required.*durable/],
      [{ ...every, cron: '* * * * *' }, /^cron needs durable: true$/],
      [{ ...every, durable: true }, /^cron is required/],
      [{ ...durable, intervalSeconds: 60 }, /^intervalSeconds cannot be used with durable/],
      [{ ...durable, fireImmediately: true }, /^fireImmediately cannot be used with durable/],
      [{ ...every, intervalSeconds: 7 * 24 * 3_600 }, /^intervalSeconds .*7 days/],
      [{ ...every, recuring: true }, /recuring/],
    ] as const)
      expect(await refused(body)).toMatchObject({
        status: 400,
        code: 'invalid_body',
        errors: expect.arrayContaining([expect.stringMatching(field)]) as unknown,
      });
    for (const [change, field] of [
      [{ cron: '0 9 30 2 *' }, /^cron never occurs/],
      [{ cron: '2020-01-01T09:00:00' }, /^cron has 1 field,/],
      [{ cron: '0 25 * * *' }, /^cron /],
      [{ timeZone: 'Mars/Base' }, /^timeZone is not a known time zone/],
    ] as const)
      expect(await refused({ ...durable, ...change })).toMatchObject({
        status: 400,
        code: 'invalid_schedule',
        errors: [expect.stringMatching(field)] as unknown,
      });
    expect(await list()).toEqual([]);
  });

  it('accepts the files of its inputs, but only permanent ones if it is durable', async () => {
    const report = { type: 'string', format: 'host-file' };
    const space = { type: 'string', 'x-host-auto': 'shared-directory' };
    const workflowId = await published([command('echo done')], { report, space });
    const files = [{ blob: new Blob(['numbers']), name: 'report.txt' }];
    const { uploadId } = await host.client.call(api.chat.upload, { files, fields: {} });
    const inputs = { report: { uploadId } };
    const made = await make({
      workflowId,
      inputs,
      intervalSeconds: 60,
      fireImmediately: true,
      ...fullAccess,
    });
    await lastEnds(made.id);
    const durable = { workflowId, durable: true, cron: '0 9 * * *', timeZone: 'UTC' };
    expect(await refusal(make({ ...durable, inputs }))).toMatchObject({
      status: 422,
      code: 'invalid_inputs',
      errors: [expect.stringMatching(/^inputs.report .*nativePath/) as unknown],
    });
    expect(await refusal(make({ ...durable, inputs: { report: 'none' } }))).toMatchObject({
      status: 422,
      code: 'invalid_inputs',
    });
    expect(await make(durable)).toMatchObject({ durable: true, state: 'active' });
  });

  it('that is removed starts nothing more, and is removed only once', async () => {
    const workflowId = await quick();
    const { id } = await make({ workflowId, intervalSeconds: 60, ...fullAccess });
    const removals = [remove(id), remove(id)].map((one) => one.catch((error: unknown) => error));
    const [first, second] = await Promise.all(removals);
    expect(first).toBeUndefined();
    expect(second).toMatchObject({ problem: { status: 404, code: 'unknown_schedule' } });
    await clock.advance(10 * minute);
    expect(await runsOf(workflowId)).toEqual([]);
    expect(await refusal(show(id))).toMatchObject({ status: 404, code: 'unknown_schedule' });
  });

  it('can be removed while it starts a run, which continues', async () => {
    const workflowId = await quick();
    const made = await make({ workflowId, intervalSeconds: 60, ...fullAccess });
    const [, removed] = await Promise.all([clock.advance(minute), remove(made.id)]);
    expect(removed).toBeUndefined();
    expect(await list()).toEqual([]);
    await clock.advance(10 * minute);
    const runs = await runsOf(workflowId);
    expect(runs.length).toBeLessThanOrEqual(1);
    await expect
      .poll(async () => (await runsOf(workflowId)).filter(({ status }) => status !== 'completed'))
      .toEqual([]);
  });
});

describe('a due time', () => {
  it('during the previous run is skipped, and recorded in the history', async () => {
    const workflowId = await published([command('until [ -e go-on ]; do sleep 0.05; done')]);
    const made = await make({
      workflowId,
      intervalSeconds: 60,
      fireImmediately: true,
      ...fullAccess,
    });
    await clock.advance(3 * minute);
    expect(await runsOf(workflowId)).toHaveLength(1);
    expect((await show(made.id)).history).toMatchObject([
      {
        outcome: 'skipped',
        reason: 'still_running',
        times: 3,
        message: expect.stringMatching(/not ended yet/) as unknown,
      },
      { outcome: 'started' },
    ]);
    await host.finish({ steps: [command('touch go-on')] }, fullAccess);
    await lastEnds(made.id);
    await clock.advance(minute);
    expect(await runsOf(workflowId)).toHaveLength(2);
    await lastEnds(made.id);
  });

  it('during sleep of the machine is made up for by one run', async () => {
    const workflowId = await quick();
    const made = await make({ workflowId, intervalSeconds: 600, ...fullAccess });
    clock.jump(65 * minute);
    await clock.advance(minute);
    await lastEnds(made.id);
    expect(await runsOf(workflowId)).toHaveLength(1);
    expect((await show(made.id)).history).toMatchObject([
      { outcome: 'started', catchUp: true },
      { outcome: 'skipped', reason: 'late', times: 5 },
    ]);
    await clock.advance(4 * minute);
    await lastEnds(made.id);
    expect(await runsOf(workflowId)).toHaveLength(2);
  });

  it('is met if the clock is set back', async () => {
    const workflowId = await quick();
    const daily = { workflowId, durable: true, cron: '0 9 * * *', timeZone: 'UTC', ...fullAccess };
    const [interval, durable] = [
      await make({ workflowId, intervalSeconds: 3_600 }),
      await make(daily),
    ];
    clock.jump(-30 * day);
    await clock.advance(minute);
    const { nextRunAt = '', expiresAt = '' } = await show(interval.id);
    expect(Date.parse(nextRunAt) - clock.now()).toBeLessThanOrEqual(60 * minute);
    expect(Date.parse(expiresAt) - clock.now()).toBeLessThanOrEqual(7 * day);
    const again = Date.parse((await show(durable.id)).nextRunAt ?? '') - clock.now();
    expect(again).toBeGreaterThan(0);
    expect(again).toBeLessThanOrEqual(day);
    clock.jump(30 * day);
  });

  it('is skipped with its reason, which is notified once until it changes', async () => {
    const workflowId = await quick();
    const made = await make({
      workflowId,
      durable: true,
      cron: '0 9 * * *',
      timeZone: 'Europe/Berlin',
      ...fullAccess,
    });
    await publish(workflowId, false);
    await clock.advance(3 * day);
    const skipped = await show(made.id);
    expect(skipped.history).toMatchObject([
      { outcome: 'skipped', reason: 'workflow_not_published', times: 3 },
    ]);
    expect(skipped.state).toBe('active');
    expect(await notifications()).toMatchObject([
      {
        source: 'agent',
        level: 'warning',
        title: 'Not run: Report',
        link: `/flows/${workflowId}`,
        body: expect.stringMatching(/not published/) as unknown,
      },
    ]);
    await publish(workflowId, true);
    await clock.advance(day);
    await lastEnds(made.id);
    await host.client.call(workflows.remove, { params: { workflowId } });
    await clock.advance(3 * day);
    const disabled = await show(made.id);
    expect(disabled).toMatchObject({
      state: 'disabled',
      history: [{ reason: 'unknown_workflow' }, {}, {}],
    });
    expect(disabled).not.toHaveProperty('nextRunAt');
    expect(await notifications()).toHaveLength(2);
  });

  it('is skipped if the inputs no longer match', async () => {
    const workflowId = await published([command('echo {{inputs.n}}')], { n: { type: 'integer' } });
    const made = await make({ workflowId, inputs: { n: 1 }, intervalSeconds: 60 });
    const inputSchema = { type: 'object', properties: { n: { type: 'string' } } };
    const params = { workflowId };
    await host.client.call(workflows.update, { params, body: { inputSchema } });
    await clock.advance(2 * minute);
    expect((await show(made.id)).history).toMatchObject([
      { outcome: 'skipped', reason: 'invalid_inputs', times: 2 },
    ]);
  });

  it('is kept in the history with the last forty-nine', async () => {
    const workflowId = await published([{ tool: 'delay', arguments: { seconds: 0 } }]);
    const made = await make({ workflowId, intervalSeconds: 60, ...fullAccess });
    for (let n = 0; n < 52; n += 1) {
      await publish(workflowId, n % 2 === 0);
      await clock.advance(minute);
      if (n % 2 === 0) await lastEnds(made.id);
    }
    const { history } = await show(made.id);
    expect(history).toHaveLength(50);
    expect(history[0]?.outcome).toBe('skipped');
  });
});

describe('an unattended run', () => {
  it('requires approval of its steps, in the mode of the settings by default', async () => {
    const workflowId = await quick();
    const made = await make({ workflowId, intervalSeconds: 60, fireImmediately: true });
    const runId = made.lastRun?.runId ?? '';
    expect(await host.gate(runId)).toMatchObject({ gate: 'step', index: 0 });
    await host.approve(runId);
    await lastEnds(made.id);
    const failing = await published([command('exit 3')]);
    const failed = await make({
      workflowId: failing,
      intervalSeconds: 60,
      fireImmediately: true,
      ...fullAccess,
    });
    await lastEnds(failed.id, 'failed');
    expect((await show(failed.id)).lastRun?.error).toMatch(/Step 1/);
  });
});

describe('after a restart of the host', () => {
  it('schedules in memory are gone, and durable ones make up for missed times once [LIMIT-13]', async () => {
    const time = createTestClock('2026-03-02T07:00:00Z');
    const first = host;
    let other = await startAgentHost({ wallClock: time });
    const { workDirectory } = other;
    host = other;
    try {
      await time.advance(5_000);
      const workflowId = await quick();
      await make({ workflowId, intervalSeconds: 60, ...fullAccess });
      const daily = await make({
        workflowId,
        durable: true,
        cron: '0 9 * * *',
        timeZone: 'UTC',
        ...fullAccess,
      });
      const stored = await show(daily.id);
      await other.stop();
      await other.model.close();
      host = other = await startAgentHost({ wallClock: time, workDirectory });
      await time.advance(5_000);
      expect(await list()).toEqual([stored]);
      expect(await runsOf(workflowId)).toEqual([]);
      await other.stop();
      await other.model.close();
      time.jump(3 * day + 5 * 60 * minute);
      host = other = await startAgentHost({ wallClock: time, workDirectory });
      await time.advance(5_000);
      await lastEnds(daily.id);
      await time.advance(minute);
      const caughtUp: Schedule = await show(daily.id);
      expect(caughtUp).toMatchObject({
        state: 'active',
        nextRunAt: '2026-03-06T09:00:00.000Z',
        history: [
          { outcome: 'started', catchUp: true, dueAt: '2026-03-05T09:00:00.000Z' },
          { outcome: 'skipped', reason: 'host_not_running', times: 3 },
        ],
      });
      expect(await runsOf(workflowId)).toHaveLength(1);
      expect(await notifications()).toMatchObject([
        { body: expect.stringMatching(/3 runs were missed/) as unknown },
      ]);
    } finally {
      host = first;
      await other.close();
    }
  });
});
