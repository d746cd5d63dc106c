import { beforeAll, describe, expect, it } from 'vitest';
import { api, type ChatRequest } from '../../contract/index.ts';
import { command, startAgentHost } from '../../testing/agent-host.ts';
import { only } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

let workflowId = '';
const host = await useForFile(startAgentHost());

beforeAll(async () => {
  const body = { name: 'Report', plan: { steps: [command('echo done')] } };
  const { id } = await host.client.call(api.workflows.create, { body: body });
  const params = { workflowId: id };
  await host.client.call(api.workflows.publish, { params, body: { published: true } });
  workflowId = id;
});

/** Makes one call in a turn of the chat; a person approves it if asked. */
async function schedule(
  args: object,
  permissionMode: NonNullable<ChatRequest['permissionMode']> = 'full-access',
) {
  host.model.requests.length = 0;
  const name = 'task_schedule';
  host.model.script((_, index) =>
    index === 0
      ? { toolCalls: [{ name, arguments: JSON.stringify({ workflowId, ...args }) }] }
      : { text: ['Done.'] },
  );
  const messages = [{ role: 'user' as const, content: 'go' }];
  const { streamId, events, ended } = await host.startTurn({ messages, permissionMode });
  if (permissionMode !== 'full-access') {
    await expect.poll(() => only(events, 'approval_requested')).toHaveLength(1);
    const [asked] = only(events, 'approval_requested') as { callId: string; effect: string }[];
    expect(asked).toMatchObject({ tool: name, effect: 'external' });
    const body = { callId: asked?.callId ?? '', decision: 'allow_once' as const };
    await host.client.call(api.chat.approve, { params: { streamId }, body });
  }
  await ended;
  const [result] = only(events, 'tool').filter(({ phase }) => phase === 'result');
  return { success: result?.['success'], output: String(result?.['output']) };
}
const list = () => host.client.call(api.schedules.list);

describe('task_schedule', () => {
  it('creates a schedule of either kind, in the mode of its caller [TASK-06]', async () => {
    const { success, output } = await schedule(
      { intervalSeconds: 3_600, fireImmediately: true },
      'approve-for-me',
    );
    expect({ success, output }).toMatchObject({ success: true });
    const made = JSON.parse(output) as { id: string };
    expect(made).toMatchObject({ intervalSeconds: 3_600, permissionMode: 'approve-for-me' });
    expect((await list())[0]).toMatchObject({ id: made.id, history: [{ outcome: 'started' }] });
    const cron = { durable: true, cron: '30 8 * * 1-5', timeZone: 'Europe/Berlin' };
    expect((await schedule({ ...cron, permissionMode: 'ask-for-approval' })).success).toBe(true);
    expect((await list())[1]).toMatchObject({ ...cron, permissionMode: 'ask-for-approval' });
  });

  it('cannot give its runs a wider mode than its caller has', async () => {
    const before = await list();
    const wide = { intervalSeconds: 60, permissionMode: 'full-access' };
    expect(await schedule(wide, 'ask-for-approval')).toEqual({
      success: false,
      output: expect.stringContaining('ask-for-approval') as unknown,
    });
    expect(await list()).toEqual(before);
  });

  it.each([
    [{ intervalSeconds: 59 }, /60/],
    [
      { durable: true, intervalSeconds: 60 },
      /cron is required.*intervalSeconds cannot be used with durable/,
    ],
    [{ durable: true, cron: '0 9 * *', timeZone: 'UTC' }, /4 fields/],
    [{ intervalSeconds: 60, workflowId: 'none' }, /no workflow/],
  ])('reports what is wrong with %j', async (args, expected) => {
    expect(await schedule(args)).toEqual({
      success: false,
      output: expect.stringMatching(expected) as unknown,
    });
  });
});
