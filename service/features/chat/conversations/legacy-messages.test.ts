import { afterEach, describe, expect, it } from 'vitest';
import { api, type ChatMessage, type ChatRequest } from '../../../contract/index.ts';
import { startChatHost } from '../../../testing/chat-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const host = await useForFile(startChatHost());
afterEach(() => {
  host.model.requests.length = 0;
});

const { chat, conversations } = api;
const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const history = [user('one'), assistant('two'), user('three'), assistant('four')];
const create = async (): Promise<string> =>
  (await host.client.call(conversations.create, { body: { title: 'Numbers', messages: history } }))
    .id;
const start = (body: ChatRequest) => host.client.call(chat.start, { body });
const stored = async (id: string): Promise<unknown[]> =>
  (await host.client.call(conversations.show, { params: { id } })).messages.map(
    ({ content }) => content,
  );

/** The messages of the last model request, without the system prompt. */
const asked = (): unknown[] =>
  (host.model.requests[0]?.messages ?? [])
    .filter(({ role }) => role !== 'system')
    .map(({ content }) => content);

describe('messages of a request with `after`', () => {
  it('follow the stored ones for the model, and only the last one is stored', async () => {
    const id = await create();
    host.model.script(() => ({ text: ['six'] }));
    await start({ conversationId: id, after: 3, messages: [assistant('four'), user('five')] });
    await expect.poll(() => stored(id)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
    expect(asked()).toEqual(['one', 'two', 'three', 'four', 'five']);
  });

  it('may replace stored ones', async () => {
    const id = await create();
    host.model.script(() => ({ text: ['new'] }));
    const replaceFrom = { index: 2, revision: 1 };
    await start({ conversationId: id, after: 2, messages: [user('other')], replaceFrom });
    await expect.poll(() => stored(id)).toEqual(['one', 'two', 'other', 'new']);
    expect(asked()).toEqual(['one', 'two', 'other']);
  });

  it('are refused if fewer messages are stored', async () => {
    const id = await create();
    const body = { conversationId: id, after: 5, messages: [user('five')] };
    await expect(start(body)).rejects.toMatchObject({
      problem: { status: 409, code: 'stale_revision' },
    });
    expect(await stored(id)).toEqual(history.map(({ content }) => content));
    expect(host.model.requests).toEqual([]);
  });

  it('need a conversation and a valid number', async () => {
    const id = await create();
    const invalid = { problem: { status: 400, errors: [{ path: 'after' }] } };
    const messages = [user('five')];
    await expect(start({ after: 1, messages })).rejects.toMatchObject(invalid);
    for (const after of [-1, 0.5, 2 ** 60])
      await expect(start({ conversationId: id, after, messages })).rejects.toMatchObject(invalid);
    const unknown = start({ conversationId: 'none', after: 1, messages });
    await expect(unknown).rejects.toMatchObject({ problem: { code: 'unknown_conversation' } });
  });
});
