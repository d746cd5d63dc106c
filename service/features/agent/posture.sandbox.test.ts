import { describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { fullAccess, startAgentHost } from '../../testing/agent-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost({ sandboxPath: process.env['PATH'] ?? '' }));

const failing = { tool: 'task_output', arguments: { taskId: 'none' } };

describe('the isolation posture of a run', () => {
  it('is stored, and a sandboxed run cannot be resumed outside of the sandbox [AGENT-05, AGENT-47]', async () => {
    const { sandboxed } = await host.client.call(api.host.isolation);
    expect(sandboxed).toBe(true);
    const inside = await host.finish({ steps: [failing] }, fullAccess);
    expect(inside.run.posture).toBe('sandboxed');
    await host.client.call(api.settings.put, { body: { unsandboxedPlugins: true } });
    const params = { runId: inside.run.runId, id: inside.run.runId };
    for (const again of [
      host.client.call(api.agent.resume, { params }),
      host.client.call(api.agent.fork, { params }),
      host.client.call(api.agent.rewind, { params, body: { keepSteps: 1 } }),
    ])
      await expect(again).rejects.toMatchObject({
        problem: { status: 409, code: 'posture_changed' },
      });
    const outside = await host.finish({ steps: [failing] }, fullAccess);
    expect(outside.run.posture).toBe('unsandboxed');
    await host.client.call(api.settings.put, { body: { unsandboxedPlugins: false } });
    for (const { runId } of [inside.run, outside.run]) {
      const next = await host.client.call(api.agent.resume, { params: { runId } });
      await host.client.call(api.agent.cancel, { params: next });
    }
  });
});
