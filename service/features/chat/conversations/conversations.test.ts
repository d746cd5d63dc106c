import { join } from 'node:path';
import { QueryTypes } from 'sequelize';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../platform/database/open-database.ts';
import { api, type ChatMessage, type Conversation } from '../../../contract/index.ts';
import { startTestHost, type TestHost } from '../../../testing/test-host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const { conversations } = api;
const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string, parts?: ChatMessage['parts']): ChatMessage => ({
  role: 'assistant',
  content,
  ...(parts ? { parts } : {}),
});
const create = (messages: ChatMessage[], title = ''): Promise<Conversation> =>
  host.client.call(conversations.create, { body: { title, messages } });
const show = (id: string, query = {}): Promise<Conversation> =>
  host.client.call(conversations.show, { params: { id }, query });
const problem = (code: string, status: number): object => ({ problem: { code, status } });

describe('a conversation', () => {
  it('is stored with all messages and their parts, and read again [CHAT-16, CHAT-17]', async () => {
    const parts: ChatMessage['parts'] = [
      { type: 'thinking', text: 'Hm.' },
      { type: 'tool', id: 'c1', name: 'sum', arguments: '{"a":1}', success: true, output: '2' },
      { type: 'text', text: 'Two.' },
    ];
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const;
    const messages: ChatMessage[] = [
      { role: 'user', content: [{ type: 'text', text: 'Größe? 🙂' }, image] },
      assistant('Two.', parts),
    ];
    const made = await create(messages, 'Sums');
    expect(made).toMatchObject({ title: 'Sums', messages, revision: 1, messageCount: 2 });
    expect(await show(made.id)).toEqual(made);
  });

  it('is titled by its first words until the user renames it', async () => {
    expect(await create([user('How do I\nsort a list?')])).toMatchObject({ title: 'How do I' });
    expect(await create([])).toMatchObject({ title: 'New conversation' });
    const long = await create([user('word '.repeat(40))]);
    expect(long.title).toMatch(/^(word )+word…$/);
    expect(long.title.length).toBeLessThanOrEqual(61);
  });

  it('survives a restart [CHAT-20]', async () => {
    const made = await create([user('Keep me'), assistant('Kept.')]);
    await host.stop();
    host = await startTestHost({ workDirectory: host.workDirectory });
    expect(await show(made.id)).toEqual(made);
  });

  it('belongs to the local user, as memories and notifications do [SETUP-30]', async () => {
    await create([user('whose?')]);
    await host.client.call(api.notifications.create, {
      body: { title: 'whose?', level: 'info', source: 'host' },
    });
    await host.stop();
    const filePath = join(host.paths.database, 'host.db');
    const database = await openDatabase({ type: 'SQLITE', filePath });
    for (const table of ['conversations', 'notifications']) {
      const owners = await database.sequelize.query(`SELECT DISTINCT user_id FROM ${table}`, {
        type: QueryTypes.SELECT,
      });
      expect(owners).toEqual([{ user_id: 1 }]);
    }
    await database.close();
    host = await startTestHost({ workDirectory: host.workDirectory });
  });

  it('can be replaced as a whole [CHAT-18]', async () => {
    const made = await create([user('a'), assistant('b'), user('c')]);
    const body = { title: 'Other', messages: [user('x')] };
    const replaced = await host.client.call(conversations.replace, { params: made, body });
    expect(replaced).toMatchObject({ title: 'Other', messages: [user('x')], revision: 2 });
    expect(await show(made.id)).toEqual(replaced);
  });

  it('can be renamed without sending its messages', async () => {
    const made = await create([user('a'), assistant('b')]);
    const renamed = await host.client.call(conversations.update, {
      params: made,
      body: { title: ' Sums ' },
    });
    expect(renamed).toMatchObject({ id: made.id, title: 'Sums', messageCount: 2 });
    const { messages } = made;
    expect(await show(made.id)).toMatchObject({ title: 'Sums', messages, revision: 2 });
    const empty = host.client.call(conversations.update, { params: made, body: { title: ' ' } });
    await expect(empty).rejects.toMatchObject(problem('invalid_body', 400));
  });

  it('is not replaced by a client with an old revision', async () => {
    const made = await create([user('a')]);
    const change = (revision: number, text: string): Promise<Conversation> =>
      host.client.call(conversations.replace, {
        params: made,
        body: { title: 'T', messages: [user(text)], revision },
      });
    await change(1, 'first');
    await expect(change(1, 'second')).rejects.toMatchObject(problem('stale_revision', 409));
    expect(await show(made.id)).toMatchObject({ messages: [user('first')], revision: 2 });
    const both = await Promise.allSettled([change(2, 'one'), change(2, 'two')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('can be removed and is unknown afterwards [CHAT-19]', async () => {
    const made = await create([user('a')]);
    await host.client.call(conversations.remove, { params: made });
    const { call } = host.client;
    for (const work of [
      () => show(made.id),
      () => call(conversations.remove, { params: made }),
      () => call(conversations.update, { params: made, body: { title: 'x' } }),
      () => call(conversations.replace, { params: made, body: { title: '', messages: [] } }),
      () => call(conversations.fork, { params: made, body: { messageIndex: 0 } }),
    ])
      await expect(work()).rejects.toMatchObject(problem('unknown_conversation', 404));
  });

  it('is read in pages from its end', async () => {
    const messages = Array.from({ length: 25 }, (_, index) => user(`m${index}`));
    const { id } = await create(messages);
    const last = await show(id, { limit: '10' });
    expect(last).toMatchObject({ firstIndex: 15, messageCount: 25, messages: messages.slice(15) });
    const before = await show(id, { limit: '10', before: String(last.firstIndex) });
    expect(before).toMatchObject({ firstIndex: 5, messages: messages.slice(5, 15) });
    const first = await show(id, { limit: '10', before: '5' });
    expect(first).toMatchObject({ firstIndex: 0, messages: messages.slice(0, 5) });
  });

  it('can be forked at a message', async () => {
    const made = await create([user('a'), assistant('b'), user('c')], 'Trunk');
    const params = { id: made.id };
    const branch = await host.client.call(conversations.fork, {
      params,
      body: { messageIndex: 1 },
    });
    expect(branch).toMatchObject({
      title: 'Trunk',
      parentId: made.id,
      messages: [user('a'), assistant('b')],
    });
    expect(await show(made.id)).toEqual(made);
    await expect(
      host.client.call(conversations.fork, { params, body: { messageIndex: 3 } }),
    ).rejects.toMatchObject(problem('unknown_message', 404));
  });

  it('can be exported as Markdown and as JSON', async () => {
    const parts: ChatMessage['parts'] = [
      { type: 'thinking', text: 'Let me see.' },
      { type: 'tool', id: 'c', name: 'run', arguments: '{}', success: false, output: '``` no' },
      { type: 'text', text: 'Done.' },
    ];
    const made = await create([user('Do it'), assistant('Done.', parts)], 'A/B: "c"');
    const read = (format: 'markdown' | 'json'): Promise<Response> =>
      host.client.open(conversations.export, { params: { id: made.id }, query: { format } });
    const markdown = await read('markdown');
    expect(markdown.headers.get('content-disposition')).toContain("filename*=UTF-8''A%20B%20c.md");
    const text = await markdown.text();
    expect(text).toContain('# A/B: "c"');
    expect(text).toContain('## You\n\nDo it');
    expect(text).toContain('> Let me see.');
    expect(text).toContain('**run** (failed)');
    expect(text).toContain('````\n``` no\n````');
    const json = (await (await read('json')).json()) as Conversation;
    expect(json.messages).toEqual(made.messages);
  });
});

describe('the list', () => {
  const list = (query = {}) => host.client.call(conversations.list, { query });

  it('starts with the most recently changed one and has pages [CHAT-15]', async () => {
    const made: string[] = [];
    for (const text of ['one', 'two', 'three']) made.push((await create([user(text)])).id);
    const [first = ''] = made;
    const body = { title: 'one again', messages: [user('one')] };
    await host.client.call(conversations.replace, { params: { id: first }, body });
    const expected = [made[0], made[2], made[1]];
    const all = (await list()).map(({ id }) => id);
    expect(all.slice(0, 3)).toEqual(expected);
    const page = await list({ limit: '1', before: expected[0] });
    expect(page.map(({ id }) => id)).toEqual([expected[1]]);
    const [summary] = page;
    expect(Object.keys(summary ?? {}).sort()).toEqual(
      ['archived', 'createdAt', 'id', 'messageCount', 'pinned', 'title', 'updatedAt'].sort(),
    );
  });

  it('finds words in titles and texts, whatever their case and characters', async () => {
    const { id } = await create([user('The ZEBRA crosses'), assistant('100 % sure_it ÄÖ')], 'Walk');
    for (const q of ['zebra', 'ZEBRA CROSS', 'walk', '100 %', 'sure_it', 'äö'])
      expect(
        (await list({ q })).map((one) => one.id),
        q,
      ).toContain(id);
    for (const q of ['zebras', '100 x', 'sureXit', '%zebra%']) {
      expect(
        (await list({ q })).map((one) => one.id),
        q,
      ).not.toContain(id);
    }
  });

  it('refuses an unknown position to continue from', async () => {
    await expect(list({ before: 'nobody' })).rejects.toMatchObject(
      problem('unknown_conversation', 404),
    );
    await expect(list({ limit: 'x' })).rejects.toMatchObject(problem('invalid_query', 400));
  });
});
