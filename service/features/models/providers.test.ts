import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { api, type NewProvider, ProviderProtocol } from '../../contract/index.ts';
import { followTurns, only, textOf } from '../../testing/chat-host.ts';
import { type RawModel, startRawModel } from '../../testing/models/raw-model.ts';
import { speak } from '../../testing/models/spoken-answer.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const key = 'sk-prov-0123456789-abcdef';
const model: RawModel = await useForFile(startRawModel());
const host = await useForFile(startTestHost());
const { client } = host;
const { sendMessage } = followTurns(host);

const modes = { openai: 'cloud_c', anthropic: 'cloud_b', ollama: 'local' } as const;

function providerOf(protocol: ProviderProtocol, more: Partial<NewProvider> = {}): NewProvider {
  const baseUrl = protocol === 'openai' ? `${model.base}/v1` : model.base;
  return { name: `At ${protocol}`, protocol, baseUrl, apiKey: key, ...more };
}

const add = (body: NewProvider) => client.call(api.providers.create, { body });
const list = () => client.call(api.providers.list);

async function clear(): Promise<void> {
  for (const { id } of await list()) await client.call(api.providers.remove, { params: { id } });
}

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (error: unknown) => (error as { problem: { code: string } }).problem.code,
  );

describe('model providers', () => {
  it('are added, replaced and removed, with their keys masked', async () => {
    expect(await list()).toEqual([]);
    const added = await add(providerOf('openai', { models: ['a', 'b'] }));
    expect(added).toEqual({
      id: added.id,
      name: 'At openai',
      protocol: 'openai',
      baseUrl: `${model.base}/v1`,
      apiKey: 'sk-p***cdef',
      models: ['a', 'b'],
    });
    const params = { id: added.id };
    const body = { ...added, name: 'Renamed' };
    expect(await client.call(api.providers.replace, { params, body })).toEqual(body);
    const { apiKey: _, models: __, ...fields } = body;
    const fewer = await client.call(api.providers.replace, { params, body: fields });
    expect(fewer).toEqual({ ...fields, apiKey: 'sk-p***cdef' });
    expect(await list()).toEqual([fewer]);
    await client.call(api.providers.remove, { params });
    expect(await list()).toEqual([]);
    expect(await codeOf(client.call(api.providers.remove, { params }))).toBe('unknown_provider');
  });

  it('have unique names', async () => {
    const { id } = await add(providerOf('openai', { name: 'One' }));
    expect(await codeOf(add(providerOf('ollama', { name: 'ONE' })))).toBe('provider_exists');
    const other = await add(providerOf('ollama', { name: 'Two' }));
    const renamed = client.call(api.providers.replace, {
      params: { id: other.id },
      body: providerOf('ollama', { name: 'One' }),
    });
    expect(await codeOf(renamed)).toBe('provider_exists');
    const same = client.call(api.providers.replace, {
      params: { id },
      body: providerOf('openai', { name: 'one' }),
    });
    expect(await same).toMatchObject({ id, name: 'one' });
    await clear();
  });

  it.each([
    ['another protocol', { protocol: 'smoke' }],
    ['no address', { baseUrl: '' }],
    ['an address of a file', { baseUrl: 'file:///etc/passwd' }],
    ['a key of two lines', { apiKey: 'a\r\nb' }],
    ['no name', { name: ' ' }],
  ])('with %s are refused', async (_, wrong) => {
    const answer = await host.ask('/api/ai/providers', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...providerOf('openai'), ...wrong }),
    });
    expect(answer.status).toBe(400);
    expect(await list()).toEqual([]);
  });

  it.each(ProviderProtocol.options)('answer in a chat by %s', async (protocol) => {
    const { id } = await add(providerOf(protocol));
    model.script((res) => speak(res, modes[protocol], { text: 'From afar.' }));
    const { id: conversationId } = await client.call(api.conversations.create, {
      body: { title: 'Own' },
    });
    const events = await sendMessage({
      conversationId,
      messages: [{ role: 'user', content: 'Who?' }],
      model: { provider: id, name: 'far-model' },
    });
    expect(textOf(events)).toBe('From afar.');
    expect(only(events, 'done')).toHaveLength(1);
    const [seen] = model.requests;
    expect(seen?.body).toMatchObject({ model: 'far-model' });
    expect(seen?.headers['x-api-key'] ?? seen?.headers.authorization).toContain(key);
    const { messages } = await client.call(api.conversations.show, {
      params: { id: conversationId },
    });
    expect(messages.at(-1)?.model).toEqual({ provider: id, name: 'far-model' });
    await clear();
  });

  it('can be chosen for a conversation, and a removed one is reported', async () => {
    const { id } = await add(providerOf('openai'));
    const created = await client.call(api.conversations.create, { body: { title: 'Own' } });
    const params = { id: created.id };
    const choice = { provider: id, name: 'kept-model' };
    const unknown = client.call(api.conversations.update, {
      params,
      body: { model: { provider: 'nobody', name: 'x' } },
    });
    expect(await codeOf(unknown)).toBe('unknown_provider');
    const changed = await client.call(api.conversations.update, {
      params,
      body: { model: choice },
    });
    expect(changed.model).toEqual(choice);
    model.script((res) => speak(res, 'cloud_c', { text: 'Yes.' }));
    const request = {
      conversationId: created.id,
      messages: [{ role: 'user' as const, content: 'There?' }],
    };
    expect(textOf(await sendMessage(request))).toBe('Yes.');
    expect(model.requests[0]?.body).toMatchObject({ model: 'kept-model' });
    await client.call(api.providers.remove, { params: { id } });
    expect(await codeOf(sendMessage(request))).toBe('unknown_provider');
  });

  it('are tested without being stored, where a masked key means the stored one', async () => {
    const { id } = await add(providerOf('openai'));
    model.script((res, seen) => {
      if (seen.method === 'GET') res.end(JSON.stringify({ data: [{ id: 'one' }, { id: 'two' }] }));
      else speak(res, 'cloud_c', { text: 'Hi' });
    });
    const { baseUrl } = providerOf('openai');
    const body = { id, protocol: 'openai' as const, baseUrl, apiKey: 'sk-p***cdef', model: 'one' };
    expect(await client.call(api.providers.test, { body })).toMatchObject({
      success: true,
      models: ['one', 'two'],
    });
    expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    const models = await client.call(api.providers.models, { params: { id } });
    expect(models).toEqual({ models: ['one', 'two'] });
    model.script((res) => res.writeHead(401).end('{"error":{"message":"no"}}'));
    const failed = await client.call(api.providers.test, { body });
    expect(failed.success).toBe(false);
    expect(JSON.stringify(failed)).not.toContain(key);
    await clear();
  });

  it('that need no key are called without one', async () => {
    model.script((res, seen) => {
      if (seen.method === 'GET') res.end(JSON.stringify({ data: [] }));
      else speak(res, 'cloud_b', { text: 'Hi' });
    });
    const body = { protocol: 'anthropic' as const, baseUrl: model.base, apiKey: '', model: 'm' };
    expect(await client.call(api.providers.test, { body })).toMatchObject({ success: true });
    expect(model.requests.every(({ headers }) => headers['x-api-key'] === undefined)).toBe(true);
  });

  it('keep their keys encrypted in the database', async () => {
    await add(providerOf('openai'));
    const folder = join(host.workDirectory, '.host');
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    let databases = 0;
    for (const file of names.filter((entry) => entry.isFile())) {
      const content = await readFile(join(file.parentPath, file.name));
      if (file.name.endsWith('.db')) databases += 1;
      expect(content.includes(key), file.name).toBe(false);
    }
    expect(databases).toBeGreaterThan(0);
    await clear();
  });
});
