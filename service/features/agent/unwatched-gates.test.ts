import { expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { command, startAgentHost } from '../../testing/agent-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(
  startAgentHost({ gateWaits: { gateGraceMs: 300, gateLimitMs: 2_000 } }),
);

const workflow = { steps: [command('echo hello')] };
const config = { permissionMode: 'ask-for-approval' as const };
/** Starts a run that nobody reads. */
const startRun = async (goal: string, more: object = {}): Promise<string> => {
  const body = { goal, workflow, config: { ...config, ...more } };
  return (await host.client.call(api.agent.run, { body })).runId;
};
const notifications = () => host.client.call(api.notifications.list, { query: {} });
const notificationsOf = async (runId: string) =>
  (await notifications()).filter(({ link }) => link === `/agent/${runId}`);
const planWaits = (goal: string) => ({
  source: 'agent',
  level: 'warning',
  title: `Waiting for you: ${goal}`,
  body: 'Its plan of one step is waiting for your approval.',
});

it('a gate is reported once if nobody reads the run', async () => {
  const runId = await startRun('Say\nhello');
  await expect.poll(() => notificationsOf(runId)).toMatchObject([planWaits('Say hello')]);
  await host.approve(runId);
  await expect
    .poll(() => notificationsOf(runId))
    .toMatchObject([
      {
        level: 'warning',
        body: expect.stringMatching(
          /^Step 1 wants to use execute_command\. .*ten minutes\.$/,
        ) as unknown,
      },
      planWaits('Say hello'),
    ]);
  await host.client.call(api.agent.cancel, { params: { runId } });
});

it('a gate is not reported while a client reads the run', async () => {
  const watched = await host.start({ goal: 'Watched', plan: workflow, config });
  // Both are pending now, the second one longer than the grace period.
  await host.gate(watched.runId);
  const alone = await startRun('Alone');
  await expect.poll(() => notificationsOf(alone)).toMatchObject([planWaits('Alone')]);
  expect(await notificationsOf(watched.runId)).toEqual([]);
  for (const runId of [watched.runId, alone])
    await host.client.call(api.agent.cancel, { params: { runId } });
});

it('a step that nobody approves in time fails, which is reported', async () => {
  const runId = await startRun('Forgotten', { planApproval: false });
  await expect
    .poll(() => notificationsOf(runId), { timeout: 20_000 })
    .toMatchObject([
      {
        level: 'error',
        title: 'Failed: Forgotten',
        body: expect.stringMatching(/not approved within ten minutes/) as unknown,
      },
      { level: 'warning', title: 'Waiting for you: Forgotten' },
    ]);
  expect(await host.show(runId)).toMatchObject({
    status: 'failed',
    executions: [
      {
        status: 'failed',
        error: expect.stringMatching(/not approved within ten minutes/) as unknown,
      },
    ],
  });
});
