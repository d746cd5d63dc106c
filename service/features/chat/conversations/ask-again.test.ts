import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  api,
  type ChatMessage,
  type ChatRequest,
  type ChatTurn,
  type Conversation,
} from '../../../contract/index.ts';
import { type ChatHost, restarted, startChatHost } from '../../../testing/chat-host.ts';

let host: ChatHost;
beforeAll(async () => {
  host = await startChatHost();
});
afterAll(() => host.close());
afterEach(() => {
  host.model.script(() => ({ text: ['Hello.'] }));
});

const { chat, conversations } = api;
const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const history = [user('one'), assistant('two'), user('three'), assistant('four')];
const create = (): Promise<Conversation> =>
  host.client.call(conversations.create, { body: { title: 'Numbers', messages: history } });
const show = (id: string): Promise<Conversation> =>
  host.client.call(conversations.show, { params: { id } });
const start = (body: ChatRequest) => host.client.call(chat.start, { body });
const ended = (streamId: string): Promise<ChatTurn> =>
  expect
    .poll(() => host.client.call(chat.show, { params: { streamId } }))
    .toMatchObject({ state: expect.stringMatching(/done|error|cancelled/) as unknown })
    .then(() => host.client.call(chat.show, { params: { streamId } }));
const problem = (code: string, status: number): object => ({ problem: { code, status } });

/** Asks again from the message at `index`. */
const again = (
  { id, revision }: Pick<Conversation, 'id' | 'revision'>,
  index: number,
  text = 'three',
): ChatRequest => ({
  conversationId: id,
  messages: [...history.slice(0, index), user(text)],
  replaceFrom: { index, revision },
});

describe('a message that replaces others', () => {
  it('is stored in one step with their removal, and is answered', async () => {
    const made = await create();
    let meanwhile: Conversation | undefined;
    host.model.script(() => ({
      text: ['five'],
      until: show(made.id).then((now) => (meanwhile = now)),
    }));
    const { streamId } = await start(again(made, 2));
    await ended(streamId);
    expect(meanwhile).toMatchObject({
      revision: 2,
      messages: [...history.slice(0, 2), user('three')],
    });
    expect(await show(made.id)).toMatchObject({
      title: 'Numbers',
      messageCount: 4,
      messages: [...history.slice(0, 3), { role: 'assistant', content: 'five' }],
    });
  });

  it('may differ from the old one and may be the first of all', async () => {
    const made = await create();
    await ended((await start(again(made, 0, 'anew'))).streamId);
    expect(await show(made.id)).toMatchObject({
      messageCount: 2,
      messages: [user('anew'), { content: 'Hello.' }],
    });
  });

  it('can be asked again repeatedly with the revision from the end of each turn', async () => {
    const made = await create();
    let { revision } = made;
    for (const text of ['five', 'six', 'seven']) {
      host.model.script(() => ({ text: [text] }));
      const turn = await ended((await start(again({ ...made, revision }, 2))).streamId);
      revision = turn.revision ?? 0;
      expect(await show(made.id)).toMatchObject({ revision, messageCount: 4 });
    }
    const params = { id: made.id };
    const renamed = await host.client.call(conversations.update, { params, body: { title: 'N' } });
    await ended((await start(again(renamed, 2))).streamId);
    host.model.script(() => ({ breaksOff: true }));
    const { revision: now } = await show(made.id);
    const failed = await ended((await start(again({ ...made, revision: now }, 2))).streamId);
    expect(failed).toMatchObject({ state: 'error', revision: (await show(made.id)).revision });
  });

  it('is kept if the host ends immediately', async () => {
    const made = await create();
    host.model.script(() => ({ until: new Promise(() => undefined) }));
    await start(again(made, 2));
    host = await restarted(host);
    const unfinished = { content: '', outcome: { state: 'interrupted' } };
    expect(await show(made.id)).toMatchObject({ messages: [...history.slice(0, 3), unfinished] });
  });
});

describe('a message that would replace others is refused without changes', () => {
  /** Expects the same conversation as before and no running turn. */
  async function refused(made: Conversation, body: ChatRequest, expected: object): Promise<void> {
    const asked = host.model.requests.length;
    await expect(start(body)).rejects.toMatchObject(expected);
    expect(await show(made.id)).toEqual(made);
    expect(host.model.requests).toHaveLength(asked);
  }

  it('if the conversation has changed since its sender read it', async () => {
    const made = await create();
    const body = { title: 'Other', messages: history, revision: 1 };
    const changed = await host.client.call(conversations.replace, { params: made, body });
    await refused(changed, again(made, 2), problem('stale_revision', 409));
    await refused(changed, again({ ...made, revision: 3 }, 2), problem('stale_revision', 409));
  });

  it('if the message or conversation does not exist', async () => {
    const made = await create();
    const messages = [user('x')];
    const replaceFrom = { index: 4, revision: 1 };
    const body = { conversationId: made.id, messages, replaceFrom };
    await refused(made, body, problem('unknown_message', 404));
    await host.client.call(conversations.remove, { params: made });
    await expect(start(again(made, 2))).rejects.toMatchObject(problem('unknown_conversation', 404));
  });

  it('while an answer is being written', async () => {
    const made = await create();
    let finish: () => void = () => undefined;
    host.model.script(() => ({ until: new Promise<void>((resolve) => (finish = resolve)) }));
    const { streamId } = await start(again(made, 2));
    await expect.poll(() => host.model.requests.at(-1)?.messages.at(-1)?.content).toBe('three');
    const running = await show(made.id);
    await refused(running, again(running, 0), problem('turn_running', 409));
    finish();
    await ended(streamId);
  });

  it('if another one was sent at the same time', async () => {
    const made = await create();
    const both = await Promise.allSettled([start(again(made, 2)), start(again(made, 2))]);
    const [good, ...others] = both.toSorted((a, b) => a.status.localeCompare(b.status));
    if (good?.status !== 'fulfilled') throw new Error('Both were refused.');
    expect(others).toMatchObject([{ reason: { problem: { status: 409 } } }]);
    await ended(good.value.streamId);
    expect(await show(made.id)).toMatchObject({ messageCount: 4 });
  });

  it('if the turn cannot start for another reason', async () => {
    const made = await create();
    const resources = [{ serverId: 'nobody', uri: 'a://b' }];
    await refused(made, { ...again(made, 2), resources }, problem('unknown_server', 404));
    const files = [{ uploadId: 'nothing' }];
    await refused(made, { ...again(made, 2), files }, problem('unknown_upload', 404));
  });

  it('without a conversation, or without a message of the user', async () => {
    const made = await create();
    const { conversationId: _, ...without } = again(made, 2);
    const invalid = { problem: { status: 400, errors: [{ path: 'replaceFrom' }] } };
    await refused(made, without, invalid);
    await refused(made, { ...again(made, 2), messages: history }, invalid);
  });
});
