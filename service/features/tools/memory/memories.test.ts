import { beforeAll, expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { fullAccess, startAgentHost } from '../../../testing/agent-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const { memories } = api;
const host = await useForFile(startAgentHost());

beforeAll(async () => {
  await host.client.call(api.settings.put, { body: { memoryEnabled: true } });
});

const remember = async (...texts: string[]): Promise<void> => {
  const steps = texts.map((text, index) => ({
    tool: 'memory_remember',
    arguments: { text, tags: [`tag ${text.split(' ')[0] ?? ''}`] },
    dependsOn: index === 0 ? [] : [index - 1],
  }));
  expect((await host.finish({ steps }, fullAccess)).run.status).toBe('completed');
};
const found = async (query: object = {}) =>
  (await host.client.call(memories.list, { query })).map(({ text }) => text);

it('the user can list, search and delete memories, also while the feature is off', async () => {
  await remember('Apples are red', 'ÖL und Äpfel', 'Pears are green');
  expect(await found()).toEqual(['Pears are green', 'ÖL und Äpfel', 'Apples are red']);
  await host.client.call(api.settings.put, { body: { memoryEnabled: false } });
  const [newest] = await host.client.call(memories.list, { query: { limit: 1 } });
  expect(newest).toMatchObject({ text: 'Pears are green', tags: ['tag Pears'] });
  expect(await found({ before: newest?.id ?? '' })).toEqual(['ÖL und Äpfel', 'Apples are red']);
  expect(await found({ q: 'ARE gr' })).toEqual(['Pears are green']);
  expect(await found({ q: 'öl' })).toEqual(['ÖL und Äpfel']);
  expect(await found({ q: 'tag apples' })).toEqual(['Apples are red']);
  expect(await found({ q: '100%_' })).toEqual([]);

  const params = { id: newest?.id ?? '' };
  await host.client.call(memories.forget, { params });
  await expect(host.client.call(memories.forget, { params })).rejects.toMatchObject({
    problem: { status: 404, code: 'unknown_memory' },
  });
  expect(await found()).toEqual(['ÖL und Äpfel', 'Apples are red']);
  expect(await host.client.call(memories.forgetAll)).toEqual({ forgotten: 2 });
  expect(await found()).toEqual([]);
  expect(await host.client.call(memories.forgetAll)).toEqual({ forgotten: 0 });
});

it('an invalid limit is refused', async () => {
  for (const limit of ['0', '201', 'x'])
    expect((await host.ask(`/api/memories?limit=${limit}`)).status).toBe(400);
});
