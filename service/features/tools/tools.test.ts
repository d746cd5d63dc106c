import { expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { installSample } from '../../testing/sample-plugin.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const test = await useForFile(startTestHost());

const namesNow = async (): Promise<string[]> =>
  (await test.client.call(api.tools.list)).map(({ name }) => name);

it('tools of the host and of plugins have the same format in the list', async () => {
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  const aiTools = [{ name: 'count_words', description: 'Counts.', method: 'echo', inputSchema }];
  await installSample(test, { manifest: { aiTools: [...aiTools] } });
  const listed = (await test.ask('/api/agent/tools')).json() as Record<string, unknown>[];
  for (const tool of listed)
    expect(Object.keys(tool).sort()).toEqual(['description', 'inputSchema', 'name']);
  for (const { inputSchema: schema } of listed) expect(schema).toMatchObject({ type: 'object' });
  const effects = await test.client.call(api.tools.list, { query: { effects: 'true' } });
  expect(effects.find(({ name }) => name === 'count_words')?.effect).toBe('external');
  expect(listed).toContainEqual({ name: 'count_words', description: 'Counts.', inputSchema });
  const names = ['execute_command', 'web_search', 'web_fetch', 'count_words'];
  expect(await namesNow()).toEqual(expect.arrayContaining(names));
  expect((await test.ask('/api/agent/tools', { headers: { 'X-Host-Token': '' } })).status).toBe(
    401,
  );
});

it('the memory tools are listed only while they are turned on [TOOL-16, TOOL-17]', async () => {
  const memory = async (): Promise<string[]> =>
    (await namesNow()).filter((name) => name.startsWith('memory_'));
  expect(await memory()).toEqual([]);
  await test.client.call(api.settings.put, { body: { memoryEnabled: true } });
  const family = ['memory_remember', 'memory_search', 'memory_list', 'memory_forget'];
  expect(await memory()).toEqual(family);
  await test.client.call(api.settings.put, { body: { memoryEnabled: false } });
  expect(await memory()).toEqual([]);
});
