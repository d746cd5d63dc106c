import { describe, expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { only, startChatHost } from '../../../testing/chat-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const host = await useForFile(startChatHost());

const { tasks } = api;

/** Calls tools in one turn, one after the other, and returns their results. */
async function use(
  ...calls: { name: string; args: object }[]
): Promise<{ success: boolean; result: Record<string, unknown>; text: string }[]> {
  host.model.requests.length = 0;
  host.model.script((_, index) => {
    const call = calls[index];
    if (!call) return { text: ['Done.'] };
    return { toolCalls: [{ name: call.name, arguments: JSON.stringify(call.args) }] };
  });
  const events = await host.sendMessage({
    messages: [{ role: 'user', content: 'go' }],
    permissionMode: 'full-access',
  });
  const results = only(events, 'tool').filter(({ phase }) => phase === 'result');
  return results.map(({ success, output }) => {
    const text = String(output);
    const result = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { success: success === true, result, text };
  });
}

async function startCommand(command: string): Promise<string> {
  const [started] = await use({ name: 'execute_command', args: { command, background: true } });
  return String(started?.result['taskId']);
}

describe('a command in the background', () => {
  it('can be waited for and read by the model [TASK-02, TASK-03, TASK-08]', async () => {
    const slow = await startCommand('echo begun; until [ -e finish ]; do sleep 0.05; done; exit 3');
    const quick = await startCommand('echo quick');
    const [any, output, all] = await use(
      { name: 'task_wait', args: { taskIds: [slow, quick], mode: 'any', timeoutMs: 20_000 } },
      { name: 'task_output', args: { taskId: quick, timeoutMs: 20_000 } },
      { name: 'execute_command', args: { command: 'touch finish' } },
    );
    expect(any?.result['tasks']).toMatchObject([
      { taskId: slow, status: 'running', kind: 'command' },
      { taskId: quick, status: 'completed' },
    ]);
    expect(output?.result).toMatchObject({ status: 'completed', exitCode: 0, stdout: 'quick\n' });
    expect(all?.success).toBe(true);
    const [waited, failed] = await use(
      { name: 'task_wait', args: { taskIds: [slow, quick], timeoutMs: 20_000 } },
      { name: 'task_output', args: { taskId: slow } },
    );
    expect(waited?.result['tasks']).toMatchObject([{ status: 'failed' }, { status: 'completed' }]);
    expect(failed?.result).toMatchObject({ exitCode: 3, stdout: 'begun\n' });
  });

  it('can be listed, read and stopped over the API [TASK-05, TASK-09]', async () => {
    const taskId = await startCommand(
      `trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done`,
    );
    const output = () => host.client.call(tasks.output, { params: { taskId } });
    await expect.poll(async () => (await output()).stdout).toBe('up\n');
    const listed = await host.client.call(tasks.list);
    expect(listed.find((task) => task.taskId === taskId)).toMatchObject({
      kind: 'command',
      status: 'running',
      title: expect.stringContaining('trap') as unknown,
    });
    const killed = await host.client.call(tasks.kill, { params: { taskId } });
    expect(killed).toMatchObject({
      taskId,
      status: 'killed',
      finishedAt: expect.any(String) as unknown,
    });
    expect((await output()).stdout).toBe('up\nbye\n');
    expect(await host.client.call(tasks.kill, { params: { taskId } })).toEqual(killed);
  });

  it('can be stopped by the model', async () => {
    const taskId = await startCommand('echo up; exec sleep 30077');
    const [ended] = await use({ name: 'task_kill', args: { taskId } });
    expect(ended?.result).toMatchObject({ taskId, status: 'killed' });
  });

  it('that is unknown returns an error', async () => {
    const missing = host.client.call(tasks.output, { params: { taskId: 'command-999' } });
    await expect(missing).rejects.toMatchObject({ problem: { status: 404, code: 'unknown_task' } });
    for (const name of ['task_output', 'task_kill']) {
      const [result] = await use({ name, args: { taskId: 'command-999' } });
      expect(result).toMatchObject({
        success: false,
        text: expect.stringContaining('no task') as unknown,
      });
    }
  });

  it('can be waited for together with at most nineteen others [LIMIT-09]', async () => {
    const taskIds = Array.from({ length: 21 }, (_, index) => `command-${index}`);
    const [many] = await use({ name: 'task_wait', args: { taskIds } });
    expect(many).toMatchObject({ success: false, text: expect.stringMatching(/20/) as unknown });
  });
});
