import { describe, expect, it } from 'vitest';
import { api, type ChatRequest } from '../../contract/index.ts';
import { command, startAgentHost } from '../../testing/agent-host.ts';
import { only } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());

const tools = async (): Promise<string[]> =>
  (await host.client.call(api.tools.list)).map(({ name }) => name);

async function publish(steps: object[], name = 'Greets'): Promise<{ id: string; tool: string }> {
  const inputSchema = { type: 'object', properties: { who: { type: 'string' } } };
  const body = { name, description: 'Says hello.', inputSchema, plan: { steps } };
  const { id } = await host.client.call(api.workflows.create, { body: body as never });
  const params = { workflowId: id };
  await host.client.call(api.workflows.publish, { params, body: { published: true } });
  return { id, tool: `run_workflow_${id}` };
}

/** Calls a tool in a turn of the chat and returns its result. */
async function use(
  tool: string,
  args: object,
  permissionMode: NonNullable<ChatRequest['permissionMode']>,
  decision: 'allow_once' | 'reject' = 'allow_once',
) {
  host.model.requests.length = 0;
  host.model.script((_, index) =>
    index === 0
      ? { toolCalls: [{ name: tool, arguments: JSON.stringify(args) }] }
      : { text: ['Done.'] },
  );
  const messages = [{ role: 'user' as const, content: 'go' }];
  const { streamId, events, ended } = await host.startTurn({ messages, permissionMode });
  const asked = permissionMode !== 'full-access';
  if (asked) {
    await expect.poll(() => only(events, 'approval_requested')).toHaveLength(1);
    const [{ callId = '' } = {}] = only(events, 'approval_requested') as { callId?: string }[];
    const params = { streamId };
    await host.client.call(api.chat.approve, { params, body: { callId, decision } });
  }
  await ended;
  expect(only(events, 'approval_requested')).toHaveLength(asked ? 1 : 0);
  const [result] = only(events, 'tool').filter(({ phase }) => phase === 'result');
  return { success: result?.['success'], output: String(result?.['output']) };
}

describe('a published workflow', () => {
  it('is a tool while it is published [WORKFLOW-22]', async () => {
    const { id, tool } = await publish([command('echo hi')]);
    expect(await tools()).toContain(tool);
    const params = { workflowId: id };
    await host.client.call(api.workflows.publish, { params, body: { published: false } });
    expect(await tools()).not.toContain(tool);
    await host.client.call(api.workflows.publish, { params, body: { published: true } });
    expect(await tools()).toContain(tool);
    await host.client.call(api.workflows.remove, { params });
    expect(await tools()).not.toContain(tool);
  });

  it('runs from the chat: its approval covers its steps [WORKFLOW-24]', async () => {
    const { id, tool } = await publish([
      command('printf "Hello %s" {{inputs.who}}'),
      command('echo {{last.result.stdout}}!', [0]),
    ]);
    const { success, output } = await use(tool, { who: 'Ada' }, 'ask-for-approval');
    expect(success).toBe(true);
    const { runId, results, summary } = JSON.parse(output) as Record<string, unknown>;
    expect(summary).toBe('2 of 2 steps done.');
    expect(results).toMatchObject([{ stdout: 'Hello Ada' }, { stdout: 'Hello Ada!\n' }]);
    expect(await host.show(String(runId))).toMatchObject({
      status: 'completed',
      workflowId: id,
      executions: [{ approval: { by: 'person' } }, {}],
    });
    const rejected = await use(tool, { who: 'Ada' }, 'ask-for-approval', 'reject');
    expect(rejected).toMatchObject({ success: false });
  });

  it('does not run steps that always require approval, whatever the mode, and reports why', async () => {
    const { tool } = await publish([command('rm -rf never')], 'Removes');
    for (const mode of ['ask-for-approval', 'full-access'] as const)
      expect(await use(tool, {}, mode)).toMatchObject({
        success: false,
        output: expect.stringMatching(/failed.*Run it yourself/) as unknown,
      });
    const confirming = [{ tool: 'confirm_send', arguments: { title: 'Mail', summary: 'To all.' } }];
    const confirm = await publish(confirming, 'Confirms');
    expect(await use(confirm.tool, {}, 'ask-for-approval')).toMatchObject({
      success: false,
      output: expect.stringMatching(/Run it yourself/) as unknown,
    });
    const denied = await publish([command('echo denied-word')], 'Denied');
    const permissionRules = { deny: 'Command(echo denied-word)', ask: '', allow: '' };
    await host.client.call(api.settings.put, { body: { permissionRules } });
    const { output } = await use(denied.tool, {}, 'full-access');
    expect(output).toContain('Command(echo denied-word)');
    await host.client.call(api.settings.put, {
      body: { permissionRules: { deny: '', ask: '', allow: '' } },
    });
  });

  it('is refused for invalid inputs, with a message for the model', async () => {
    const { tool } = await publish([command('echo {{inputs.who}}')]);
    const { success, output } = await use(tool, { who: 5 }, 'full-access');
    expect({ success, output }).toEqual({
      success: false,
      output: expect.stringMatching(/who/) as unknown,
    });
  });

  it('ends with the turn that called it', async () => {
    const { id, tool } = await publish([command('exec sleep 30074')], 'Waits');
    host.model.script(() => ({ toolCalls: [{ name: tool, arguments: '{}' }] }));
    const messages = [{ role: 'user' as const, content: 'go' }];
    const { streamId, ended } = await host.startTurn({ messages, permissionMode: 'full-access' });
    const latest = async () => (await host.client.call(api.agent.runs, { query: { limit: 1 } }))[0];
    await expect.poll(latest).toMatchObject({ workflowId: id, status: 'running' });
    await host.client.call(api.chat.cancel, { params: { streamId } });
    await ended;
    await expect.poll(latest).toMatchObject({ workflowId: id, status: 'cancelled' });
  });
});
