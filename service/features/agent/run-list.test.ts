import { expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { command, fullAccess, startAgentHost } from '../../testing/agent-host.ts';
import { refusal } from '../../testing/refusal.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const hourMs = 60 * 60_000;
const clock = createTestClock(new Date().toISOString());
const host = await useForFile(startAgentHost({ wallClock: clock }));
type Query = Record<string, string>;
const list = (query: Query) => host.client.call(api.agent.runs, { query });
const ids = async (query: Query) => (await list(query)).map(({ runId }) => runId);
const finish = async (line: string) =>
  (await host.finish({ steps: [command(line)] }, fullAccess)).run;

it('runs are listed by workflow, state and time, page by page', async () => {
  const done = await finish('true');
  const failed = await finish('false');
  const { id } = await host.client.call(api.workflows.create, {
    body: { name: 'Mine', plan: { steps: [{ tool: 'json_format', arguments: { json: '1' } }] } },
  });
  const { runId: third } = await host.client.call(api.workflows.run, {
    params: { workflowId: id },
    body: {},
  });
  await host.follow(third).ended;
  expect(await ids({ workflowId: id })).toEqual([third]);
  expect(await ids({ status: 'failed' })).toEqual([failed.runId]);
  expect(await ids({ status: 'completed' })).toEqual([third, done.runId]);
  expect(await ids({ status: 'completed,failed', limit: '1', before: third })).toEqual([
    failed.runId,
  ]);
  const { createdAt } = failed;
  expect(await ids({ since: createdAt })).toEqual([third, failed.runId]);
  expect(await ids({ until: createdAt })).toEqual([done.runId]);
  expect(await ids({ since: createdAt, status: 'completed' })).toEqual([third]);
  expect((await refusal(list({ status: 'done' }))).status).toBe(400);
  expect((await refusal(list({ since: 'yesterday' }))).status).toBe(400);
});

it('a run is exported with its plan, results and all events', async () => {
  const { runId, events, executions } = await finish('echo exported');
  const exported = await host.client.call(api.agent.export, { params: { runId } });
  expect(exported).toMatchObject({ format: 'plugin-host-run', version: 1, runId, executions });
  expect(exported.events).toEqual(events);
  expect(exported.events.map(({ type }) => type)).toContain('step_complete');
  const params = { runId: 'none' };
  expect((await refusal(host.client.call(api.agent.export, { params }))).code).toBe('unknown_run');
});

it('runs that ended longer ago than the settings allow are removed, while waiting runs stay', async () => {
  const old = await finish('echo old');
  const pending = await host.start({ plan: { steps: [command('echo waits')] } });
  await host.gate(pending.runId);
  await clock.advance(48 * hourMs);
  expect((await host.show(old.runId)).status).toBe('completed');
  await host.client.call(api.settings.put, { body: { runRetentionDays: 3 } });
  await clock.advance(hourMs);
  expect(await ids({})).toContain(old.runId);
  await clock.advance(24 * hourMs);
  expect(await ids({})).toEqual([pending.runId]);
  await expect(host.show(old.runId)).rejects.toMatchObject({ problem: { code: 'unknown_run' } });
  await host.client.call(api.agent.cancel, { params: { runId: pending.runId } });
});
