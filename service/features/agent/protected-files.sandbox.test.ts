import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { command, startAgentHost } from '../../testing/agent-host.ts';
import { useFolder, useForFile } from '../../testing/use-for-file.ts';

const workspace = await useFolder('workspace-');
const host = await useForFile(startAgentHost({ sandboxPath: process.env['PATH'] ?? '' }));

beforeAll(async () => {
  execFileSync('git', ['init', '-q'], { cwd: workspace });
  await host.client.call(api.settings.put, { body: { workspaceDirectory: workspace } });
});

it('a step approved by the user may change files that run later; one released by a rule may not', async () => {
  const names = ['pre-commit', 'post-commit'].map((name) => `.git/hooks/${name}`);
  const [first = '', second = ''] = names;
  const run = await host.start({
    plan: { steps: [command(`touch ${first}`), command(`touch ${second} done`)] },
    config: { permissionMode: 'ask-for-approval', planApproval: false, concurrency: 2 },
  });
  const pendingCount = async () => (await host.show(run.runId)).gates.length;
  await expect.poll(pendingCount).toBe(2);
  await host.approve(run.runId, {
    decision: 'allow_always',
    rules: ['Command(touch:*)'],
    index: 0,
  });
  await run.ended;
  const { executions } = await host.show(run.runId);
  expect(executions.map(({ approval }) => approval?.by)).toEqual(['person', 'rule']);
  expect(existsSync(join(workspace, first))).toBe(true);
  expect(existsSync(join(workspace, 'done'))).toBe(true);
  expect(existsSync(join(workspace, second))).toBe(false);
});
