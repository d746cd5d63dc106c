import { expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { command, fullAccess, startAgentHost } from '../../testing/agent-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());
const remove = (runId: string) => host.ask(`/api/agent/runs/${runId}`, { method: 'DELETE' });

it('a run that has ended is removed with its events, and others stay', async () => {
  const plan = { steps: [command('echo a')] };
  const { run } = await host.finish(plan, fullAccess);
  const { run: other } = await host.finish(plan, fullAccess);
  expect((await remove(run.runId)).status).toBe(204);
  await expect(host.show(run.runId)).rejects.toMatchObject({
    problem: { status: 404, code: 'unknown_run' },
  });
  const listed = await host.client.call(api.agent.runs);
  expect(listed.map(({ runId }) => runId)).toEqual([other.runId]);
  expect((await host.show(other.runId)).executions[0]?.result).toMatchObject({ stdout: 'a\n' });
  expect((await remove(run.runId)).status).toBe(404);
});

it('a run in progress is not removed', async () => {
  const run = await host.start({ plan: { steps: [command('echo a')] } });
  await host.gate(run.runId);
  const refused = await remove(run.runId);
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ code: 'run_running' });
  await host.client.call(api.agent.cancel, { params: { runId: run.runId } });
  expect((await remove(run.runId)).status).toBe(204);
});
