import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type ChatMessage, type Conversation } from '../../../contract/index.ts';
import { type ChatHost, restarted, startChatHost } from '../../../testing/chat-host.ts';
import { inChinese } from '../../../testing/in-chinese.ts';

let host: ChatHost;
beforeAll(async () => {
  host = await startChatHost();
});
afterAll(() => host.close());

const { chat, conversations } = api;
const user = (content: string): ChatMessage => ({ role: 'user', content });
const show = (id: string): Promise<Conversation> =>
  host.client.call(conversations.show, { params: { id } });
const select = (id: string, messageId: string): Promise<Conversation> =>
  host.client.call(conversations.select, { params: { id }, body: { messageId } });
const texts = ({ messages }: Conversation): unknown[] => messages.map(({ content }) => content);
const idAt = ({ messages }: Conversation, index: number): string => messages.at(index)?.id ?? '';

async function create(): Promise<Conversation> {
  return host.client.call(conversations.create, { body: {} });
}

/** Sends a message in place of the one at `index`, or at the end. */
async function sendMessage(id: string, text: string, answer: string, index?: number) {
  const now = await show(id);
  const earlier = now.messages.slice(0, index);
  host.model.script(() => ({ text: [answer] }));
  const replaceFrom = index === undefined ? {} : { replaceFrom: { index, revision: now.revision } };
  const messages = [...earlier, user(text)];
  const { streamId } = await host.client.call(chat.start, {
    body: { conversationId: id, messages, ...replaceFrom },
  });
  await expect
    .poll(() => host.client.call(chat.show, { params: { streamId } }))
    .toMatchObject({ state: 'done' });
  return host.client.call(chat.show, { params: { streamId } });
}

describe('versions of a message', () => {
  it('asking again keeps the earlier answer, which can be shown again with the messages after it', async () => {
    const { id } = await create();
    await sendMessage(id, 'one', 'first');
    await sendMessage(id, 'two', 'after first');
    const before = await show(id);
    const turn = await sendMessage(id, 'one', 'second', 0);
    const now = await show(id);
    expect(texts(now)).toEqual(['one', 'second']);
    expect(idAt(now, 0)).toBe(idAt(before, 0));
    expect(now.messages[0]).toMatchObject({ parentId: null, siblings: [idAt(before, 0)] });
    const siblings = [idAt(before, 1), idAt(now, 1)];
    expect(now.messages[1]).toMatchObject({ parentId: idAt(before, 0), siblings });
    expect(turn).toMatchObject({
      said: { id: idAt(before, 0) },
      answer: { id: idAt(now, 1), parentId: idAt(before, 0), siblings },
    });
    const all = await host.client.call(conversations.versions, { params: { id } });
    expect(all.map(({ content, parentId, visible }) => [content, parentId, visible])).toEqual([
      ['one', null, true],
      ['second', idAt(before, 0), true],
      ['first', idAt(before, 0), false],
      ['two', idAt(before, 1), false],
      ['after first', idAt(before, 2), false],
    ]);
    const visible = await select(id, idAt(before, 1));
    expect(texts(visible)).toEqual(['one', 'first', 'two', 'after first']);
    expect(visible.messages[1]).toMatchObject({ siblings });
    expect(visible.revision).toBeGreaterThan(now.revision);
    expect(texts(await select(id, idAt(now, 1)))).toEqual(['one', 'second']);
    expect(await select(id, idAt(now, 1))).toEqual(await show(id));
  });

  it('an edited message becomes a sibling of the old one at any depth, and the last visible branch can be restored', async () => {
    const { id } = await create();
    await sendMessage(id, 'one', 'a');
    await sendMessage(id, 'two', 'b');
    await sendMessage(id, 'three', 'c');
    const deep = await show(id);
    await sendMessage(id, 'other two', 'd', 2);
    await sendMessage(id, 'one', 'e', 0);
    const last = await show(id);
    expect(texts(last)).toEqual(['one', 'e']);
    expect(texts(await select(id, idAt(deep, 1)))).toEqual(['one', 'a', 'other two', 'd']);
    const chosen = await select(id, idAt(deep, 2));
    expect(texts(chosen)).toEqual(['one', 'a', 'two', 'b', 'three', 'c']);
    expect(chosen.messages[2]?.siblings).toHaveLength(2);
    expect(texts(await select(id, idAt(last, 1)))).toEqual(['one', 'e']);
    expect(texts(await select(id, idAt(deep, 5)))).toEqual([
      ...['one', 'a', 'two', 'b', 'three', 'c'],
    ]);
  });

  it('survive a restart, and saving the conversation as it was read', async () => {
    const { id } = await create();
    await sendMessage(id, 'one', 'first');
    const before = await show(id);
    await sendMessage(id, 'one', 'second', 0);
    host = await restarted(host);
    const { title, messages } = await show(id);
    const body = { title, messages };
    await host.client.call(conversations.replace, { params: { id }, body });
    expect((await show(id)).messages[1]?.siblings).toHaveLength(2);
    expect(texts(await select(id, idAt(before, 1)))).toEqual(['one', 'first']);
    const query = { format: 'json' } as const;
    const exported = await host.client.open(conversations.export, { params: { id }, query });
    expect(await exported.json()).toMatchObject({ versions: [{ content: 'second' }] });
    const plain = messages.map(({ role, content }) => ({ role, content }));
    await host.client.call(conversations.replace, {
      params: { id },
      body: { title, messages: plain },
    });
    const replaced = await show(id);
    expect(replaced.messages.map(({ siblings }) => siblings.length)).toEqual([1, 1]);
  });

  it('that are unknown, or in a conversation with a running turn, cannot be selected', async () => {
    const { id } = await create();
    await sendMessage(id, 'one', 'first');
    const before = await show(id);
    await sendMessage(id, 'one', 'second', 0);
    await expect(select(id, 'nothing')).rejects.toMatchObject({
      problem: { status: 404, code: 'unknown_message' },
    });
    let finish: () => void = () => undefined;
    host.model.script(() => ({ until: new Promise<void>((resolve) => (finish = resolve)) }));
    const { messages } = await show(id);
    const { streamId } = await host.client.call(chat.start, {
      body: { conversationId: id, messages: [...messages, user('more')] },
    });
    await expect(select(id, idAt(before, 1))).rejects.toMatchObject({
      problem: { status: 409, code: 'turn_running' },
    });
    finish();
    await expect
      .poll(() => host.client.call(chat.show, { params: { streamId } }))
      .toMatchObject({ state: 'done' });
  });
});

describe('an unfinished answer', () => {
  it('is kept with the reason, also if it is empty', async () => {
    const { id } = await create();
    host.model.script(() => ({ text: ['half'], breaksOff: true }));
    const ask = async (text: string): Promise<string> => {
      const { messages } = await show(id);
      const body = { conversationId: id, messages: [...messages, user(text)] };
      return (await host.client.call(chat.start, { body })).streamId;
    };
    const state = (streamId: string) => host.client.call(chat.show, { params: { streamId } });
    const broken = await ask('one');
    await expect.poll(() => state(broken)).toMatchObject({ state: 'error' });
    const { message } = await state(broken);
    expect((await show(id)).messages.at(-1)).toMatchObject({
      content: 'half',
      outcome: { state: 'error', message },
    });

    const page = '<html><title>Bad gateway</title><body>upstream down</body></html>';
    host.model.script(() => ({ refuses: { status: 400, message: page } }));
    const refused = await ask('one more');
    await expect.poll(() => state(refused)).toMatchObject({ state: 'error' });
    const { outcome } = (await show(id)).messages.at(-1) ?? {};
    expect(outcome?.message).not.toContain('<');
    expect(inChinese(outcome?.text)).toMatch(/拒绝了请求（400）。服务器返回：Bad gateway$/);
    expect(outcome?.details).toContain('upstream down');

    host.model.script(() => ({ until: new Promise(() => undefined) }));
    const stopped = await ask('two');
    await host.client.call(chat.cancel, { params: { streamId: stopped } });
    expect((await show(id)).messages.at(-1)).toMatchObject({
      content: '',
      outcome: { state: 'cancelled' },
    });

    host.model.script(() => ({ text: ['fine'] }));
    const good = await ask('three');
    await expect.poll(() => state(good)).toMatchObject({ state: 'done' });
    expect((await show(id)).messages.at(-1)).not.toHaveProperty('outcome');
    const asked = host.model.requests.at(-1)?.messages.filter(({ role }) => role === 'assistant');
    expect(asked).toMatchObject([{ content: 'half' }]);
  });

  it('is marked as interrupted after the host ended, but not while it is written', async () => {
    const { id } = await create();
    let wait: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (wait = resolve));
    host.model.script(() => ({ text: ['begun'], until }));
    await host.client.call(chat.start, {
      body: { conversationId: id, messages: [user('one')] },
    });
    await expect.poll(async () => texts(await show(id))).toEqual(['one', 'begun']);
    expect((await show(id)).messages[1]).not.toHaveProperty('outcome');
    host = await restarted(host);
    wait();
    expect((await show(id)).messages[1]).toMatchObject({ outcome: { state: 'interrupted' } });
  });
});
