import { expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { command, startAgentHost } from '../../testing/agent-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(
  startAgentHost({ gateWaits: { gateGraceMs: 300, gateLimitMs: 2_000 } }),
);

const workflow = { steps: [command('echo hello')] };
const config = { permissionMode: 'ask-for-approval' as const };
/** Begins a run that nobody reads. */
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

it('what waits for a person is told once when nobody reads the run', async () => {
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

it('what waits is not told while somebody reads the run', async () => {
  const watched = await host.start({ goal: 'Watched', plan: workflow, config });
  // Both wait from now on, and the second one longer than the grace.
  await host.gate(watched.runId);
  const alone = await startRun('Alone');
  await expect.poll(() => notificationsOf(alone)).toMatchObject([planWaits('Alone')]);
  expect(await notificationsOf(watched.runId)).toEqual([]);
  for (const runId of [watched.runId, alone])
    await host.client.call(api.agent.cancel, { params: { runId } });
});

it('a step that nobody decides over fails, and that is told', async () => {
  const runId = await startRun('Forgotten', { planApproval: false });
  await expect
    .poll(() => notificationsOf(runId), { timeout: 20_000 })
    .toMatchObject([
      {
        level: 'error',
        title: 'Failed: Forgotten',
        body: expect.stringMatching(/No decision was made/) as unknown,
      },
      { level: 'warning', title: 'Waiting for you: Forgotten' },
    ]);
  expect(await host.show(runId)).toMatchObject({
    status: 'failed',
    executions: [
      { status: 'failed', error: expect.stringMatching(/No decision was made/) as unknown },
    ],
  });
});
