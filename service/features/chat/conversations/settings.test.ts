import { describe, expect, it, onTestFinished } from 'vitest';
import { AiMode, api, type ConversationChange } from '../../../contract/index.ts';
import { startChatHost, textOf } from '../../../testing/chat-host.ts';
import { startRawModel } from '../../../testing/models/raw-model.ts';
import { speak } from '../../../testing/models/spoken-answer.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const { conversations } = api;
const host = await useForFile(startChatHost());
const raw = await useForFile(startRawModel());
const { client } = host;

const create = async (title = 'Named') =>
  (await client.call(conversations.create, { body: { title } })).id;
const change = (id: string, body: ConversationChange) =>
  client.call(conversations.update, { params: { id }, body });
const show = (id: string) => client.call(conversations.show, { params: { id } });
interface ListQuery {
  folder?: string;
  archived?: 'true' | 'false' | 'all';
  pinned?: 'true' | 'false';
}
const idsOf = async (query: ListQuery): Promise<string[]> =>
  (await client.call(conversations.list, { query })).map(({ id }) => id);
const sendMessage = (conversationId: string, content = 'Hello') =>
  host.sendMessage({ conversationId, messages: [{ role: 'user', content }] });
const systemOf = (at: number): string => String(host.model.requests[at]?.messages[0]?.content);

describe('the fields of a conversation', () => {
  it('are changed individually, and cleared by null', async () => {
    const id = await create();
    const before = await show(id);
    expect(before).toMatchObject({ pinned: false, archived: false });
    const all = {
      folder: 'Work',
      pinned: true,
      archived: true,
      systemPrompt: 'Be brief.',
      temperature: 0.5,
      model: { mode: 'cloud_c' as const, name: 'other' },
      disabledTools: ['web_*'],
    };
    expect(await change(id, all)).toMatchObject({ ...all, revision: before.revision });
    const stored = await show(id);
    expect(stored).toMatchObject({ ...all, title: 'Named', updatedAt: before.updatedAt });
    await change(id, { pinned: false });
    expect(await show(id)).toMatchObject({ ...all, pinned: false });
    const none = { folder: null, systemPrompt: '', temperature: null, model: null };
    const after = await change(id, { ...none, disabledTools: [], archived: false });
    for (const name of ['folder', 'systemPrompt', 'temperature', 'model', 'disabledTools'])
      expect(after).not.toHaveProperty(name);
  });

  it.each([
    ['nothing', {}],
    ['an unknown field', { colour: 'red' }],
    ['a temperature that is too high', { temperature: 3 }],
    ['a model of a mode and a provider', { model: { mode: 'local', provider: 'x', name: 'm' } }],
    ['a model without a name', { model: { mode: 'local' } }],
    ['a pattern of nothing', { disabledTools: [''] }],
    ['pinned as a text', { pinned: 'yes' }],
  ])('are not changed by %s', async (_, body) => {
    const id = await create();
    const answer = await host.ask(`/api/ai/conversations/${id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_body' });
  });

  it('organize the list by folder, archive and pin', async () => {
    const work = await create('In work');
    const archived = await create('Archived');
    const loose = await create('Loose');
    await change(work, { folder: 'Trips', pinned: true });
    await change(archived, { folder: 'Trips', archived: true });
    const visible = await idsOf({});
    expect(visible).toContain(work);
    expect(visible).toContain(loose);
    expect(visible).not.toContain(archived);
    expect(await idsOf({ folder: 'Trips' })).toEqual([work]);
    expect(await idsOf({ folder: 'Trips', archived: 'true' })).toEqual([archived]);
    expect((await idsOf({ folder: 'Trips', archived: 'all' })).sort()).toEqual(
      [work, archived].sort(),
    );
    expect(await idsOf({ folder: '' })).toContain(loose);
    expect(await idsOf({ folder: '' })).not.toContain(work);
    expect(await idsOf({ pinned: 'true' })).toEqual([work]);
    expect(await client.call(conversations.folders)).toEqual([{ name: 'Trips', conversations: 1 }]);
  });

  it('are copied to a fork, and are kept when the conversation is replaced', async () => {
    const { id } = await client.call(conversations.create, {
      body: { title: 'Tree', messages: [{ role: 'user', content: 'x' }] },
    });
    await change(id, { folder: 'Trees', systemPrompt: 'Green.' });
    const fork = await client.call(conversations.fork, {
      params: { id },
      body: { messageIndex: 0 },
    });
    expect(fork).toMatchObject({ folder: 'Trees', systemPrompt: 'Green.', parentId: id });
    const body = { title: 'Tree 2', messages: [] };
    const replaced = await client.call(conversations.replace, { params: { id }, body });
    expect(replaced).toMatchObject({ folder: 'Trees', systemPrompt: 'Green.' });
  });
});

describe('a turn', () => {
  it('follows the instructions, the model and the tools of its conversation', async () => {
    host.model.requests.length = 0;
    const id = await create();
    await sendMessage(id);
    await change(id, { systemPrompt: 'Speak like a sailor.', disabledTools: ['web_*', 'nothing'] });
    await sendMessage(id, 'Again');
    await change(id, { disabledTools: ['*'] });
    await sendMessage(id, 'Without tools');
    const [first, second, third] = host.model.requests;
    const namesOf = (request = first): string[] =>
      (request?.tools ?? []).map((tool) => tool.function.name);
    expect(namesOf()).toContain('web_search');
    expect(namesOf(second)).toEqual(namesOf().filter((name) => !name.startsWith('web_')));
    expect(namesOf(third)).toEqual([]);
    expect(systemOf(0)).not.toContain('sailor');
    expect(systemOf(1).endsWith('Speak like a sailor.')).toBe(true);
  });

  it('includes the instructions and excludes the disabled tools in the measured context', async () => {
    const id = await create();
    const query = { conversationId: id };
    const before = await client.call(api.chat.context, { query });
    await change(id, { systemPrompt: 'word '.repeat(1_000).trim(), disabledTools: ['*'] });
    const after = await client.call(api.chat.context, { query });
    expect(after.systemTokens).toBeGreaterThan(before.systemTokens + 1_000);
    expect(after.toolTokens).toBe(0);
  });

  it('reports a disabled tool as nonexistent when the model calls it', async () => {
    const id = await create();
    await change(id, { disabledTools: ['memory_*'] });
    host.model.script((_, index) =>
      index === host.model.requests.length - 1 && lastRole() === 'user'
        ? { toolCalls: [{ name: 'memory_list', arguments: '{}' }] }
        : { text: ['Well.'] },
    );
    onTestFinished(() => host.model.script(() => ({ text: ['Hello.'] })));
    const events = await sendMessage(id);
    const result = events.find(({ data }) => data['phase'] === 'result');
    expect(result?.data).toMatchObject({ success: false });
    expect(String(result?.data['output'])).toContain('There is no tool');
  });

  const lastRole = () => host.model.requests.at(-1)?.messages.at(-1)?.role;

  it.each(AiMode.options)('sends the temperature to a model of %s', async (mode) => {
    const before = await client.call(api.aiConfig.get);
    onTestFinished(async () => {
      await client.call(api.aiConfig.put, { body: { activeMode: before.activeMode } });
    });
    const baseUrl = mode === 'local' || mode === 'cloud_b' ? raw.base : `${raw.base}/v1`;
    const id = await create();
    if (mode !== 'cloud_c')
      await client.call(api.aiConfig.put, { body: { [mode]: { apiKey: 'k', baseUrl } } });
    const provider = await client.call(api.providers.create, {
      body: { name: mode, protocol: 'openai', baseUrl: `${raw.base}/v1` },
    });
    const model = mode === 'cloud_c' ? { provider: provider.id, name: 'm' } : { mode, name: 'm' };
    await change(id, { temperature: 0.25, model });
    raw.script((res) => speak(res, mode, { text: 'Warm.' }));
    expect(textOf(await sendMessage(id))).toBe('Warm.');
    const body = raw.requests[0]?.body ?? {};
    const sent = mode === 'local' ? (body['options'] as object) : body;
    expect(sent).toMatchObject({ temperature: 0.25 });
    expect(body).not.toHaveProperty('thinking');
    // A model that refuses the setting is asked again without it.
    raw.script((res, seen) => {
      if (JSON.stringify(seen.body).includes('"temperature"'))
        res
          .writeHead(400, { 'Content-Type': 'application/json' })
          .end('{"error":{"message":"temperature is not supported with this model"}}');
      else speak(res, mode, { text: 'Cold.' });
    });
    if (mode !== 'local') expect(textOf(await sendMessage(id, 'Now?'))).toBe('Cold.');
  });
});

describe('the title', () => {
  const titled = (id: string, title: string) =>
    expect.poll(async () => (await show(id)).title).toBe(title);

  it('is generated by the model once, after the first answer, without a new revision', async () => {
    let asked = 0;
    host.model.title = () => {
      asked += 1;
      return { text: ['## "A greeting'], usage: { prompt_tokens: 40, completion_tokens: 4 } };
    };
    onTestFinished(() => {
      host.model.title = null;
    });
    const { id } = await client.call(conversations.create, { body: {} });
    await sendMessage(id, 'Good morning to you');
    const { revision } = await show(id);
    await titled(id, 'A greeting');
    expect((await show(id)).revision).toBe(revision);
    await sendMessage(id, 'And good night');
    expect((await show(id)).title).toBe('A greeting');
    expect(asked).toBe(1);
    const { conversations: used } = await client.call(api.usage.report);
    expect(used.find((one) => one.id === id)).toMatchObject({ answers: 3 });
  });

  it('is kept if the user chose it, whenever that was', async () => {
    const asked: string[] = [];
    host.model.title = ({ messages }) => {
      asked.push(String(messages[1]?.content));
      return { text: ['Other'] };
    };
    onTestFinished(() => {
      host.model.title = null;
    });
    const named = await create('Mine');
    await sendMessage(named);
    const { id } = await client.call(conversations.create, { body: {} });
    await change(id, { title: 'Mine, too' });
    await sendMessage(id);
    // Once the title of a later conversation arrives, those of earlier ones would have arrived,
    // too.
    const last = await client.call(conversations.create, { body: {} });
    await sendMessage(last.id, 'Last');
    await titled(last.id, 'Other');
    expect((await show(named)).title).toBe('Mine');
    expect((await show(id)).title).toBe('Mine, too');
    expect(asked).toHaveLength(1);
  });

  it('falls back to the first words if the model returns none', async () => {
    const { id } = await client.call(conversations.create, { body: {} });
    const events = await sendMessage(id, 'Some first words');
    expect(events.at(-1)?.event).toBe('done');
    expect((await show(id)).title).toBe('Some first words');
  });
});
