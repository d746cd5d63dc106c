import { describe, expect, it } from 'vitest';
import { api, type Elicitation } from '../../contract/index.ts';
import { only, startChatHost } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';
import { realServer } from '../../testing/mcp/real-servers.ts';
import { addUntil } from '../../testing/mcp/mcp-host.ts';

const tool = 'trigger-elicitation-request';

const host = await useForFile(startChatHost());
const everything = realServer('everything', ['stdio'], { name: 'everything' });
const { id: serverId } = await addUntil(host, everything);

/** A turn that waits at a question, and the question. */
async function asked() {
  const { id } = await host.client.call(api.conversations.create, { body: {} });
  host.model.requests.length = 0;
  host.model.script((_, index) =>
    index === 0
      ? { toolCalls: [{ name: `mcp__everything__${tool}`, arguments: '{}' }] }
      : { text: ['Done.'] },
  );
  const turn = await host.startTurn({
    conversationId: id,
    permissionMode: 'full-access',
    messages: [{ role: 'user', content: 'go' }],
  });
  await expect.poll(() => only(turn.events, 'elicitation_requested').length).toBe(1);
  const question = only(turn.events, 'elicitation_requested')[0] ?? {};
  const answer = (reply: Omit<Elicitation, 'id'>) =>
    host.client.call(api.chat.elicit, {
      params: turn,
      body: { id: String(question['id']), ...reply },
    });
  return { turn, question, answer };
}

describe('a question of a server while its tool runs', () => {
  it('is asked in the chat, waits for returning clients, and its answer reaches the server', async () => {
    const { turn, question, answer } = await asked();
    expect(question).toMatchObject({
      server: 'everything',
      schema: { type: 'object' },
      message: expect.any(String) as unknown,
    });
    const show = () => host.client.call(api.chat.show, { params: turn });
    expect(await show()).toMatchObject({
      state: 'awaiting_approval',
      pendingElicitation: question,
    });
    const content = { name: 'Somebody', check: true };
    await answer({ action: 'accept', content });
    await turn.ended;
    const result = only(turn.events, 'tool').find(({ phase }) => phase === 'result');
    expect(result).toMatchObject({ success: true });
    expect(String(result?.['output'])).toContain('Somebody');
    expect(await show()).toMatchObject({ state: 'done' });
    await expect(answer({ action: 'decline' })).rejects.toMatchObject({
      problem: { status: 409, code: 'nothing_waits' },
    });
  });

  it('can be declined', async () => {
    const { turn, answer } = await asked();
    await answer({ action: 'decline' });
    await turn.ended;
    const result = only(turn.events, 'tool').find(({ phase }) => phase === 'result');
    expect(String(result?.['output'])).toMatch(/declin/i);
  });

  it('is declined if nobody can be asked', async () => {
    const called = await host.client.call(api.mcp.call, {
      params: { id: serverId },
      body: { tool, arguments: {} },
    });
    expect(JSON.stringify(called.content)).toMatch(/declin/i);
  });
});
