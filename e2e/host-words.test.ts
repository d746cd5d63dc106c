import { readFile } from 'node:fs/promises';
import { createInstance } from 'i18next';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { api } from '../service/contract/index.ts';
import { startTestHost, type TestHost } from '../service/testing/test-host.ts';
import { spokenKinds, spokenTemplate } from '../renderer-shell/flows/host-words.ts';

let host: TestHost;
beforeEach(async () => {
  host = await startTestHost();
});
afterEach(() => host.close());

async function translating(language: 'en' | 'zh-CN') {
  const words = createInstance();
  await words.init({ lng: language, resources: {}, interpolation: { escapeValue: false } });
  const file = new URL(`../renderer-shell/locales/nodes.${language}.json`, import.meta.url);
  const texts = JSON.parse(await readFile(file, 'utf8')) as object;
  words.addResourceBundle(language, 'translation', texts);
  return words.t;
}

it('what the host calls its nodes and templates has the same words in English, and others in Chinese', async () => {
  const nodes = await host.client.call(api.workflows.nodes);
  const kinds = new Map(nodes.map((node) => [node.type, node]));
  const templates = await host.client.call(api.workflows.templates);
  const english = await translating('en');
  expect(spokenKinds(kinds, english)).toEqual(kinds);
  expect(templates.map((one) => spokenTemplate(one, english))).toEqual(templates);

  const chinese = await translating('zh-CN');
  const spoken = [...spokenKinds(kinds, chinese).values()];
  const labels = spoken.flatMap(({ label, inputs, outputs }) => [
    label,
    ...inputs.flatMap((input) => [input.label, ...(input.options ?? []).map((one) => one.label)]),
    ...outputs.map((output) => output.label),
  ]);
  const untranslated = labels.filter((label) => !/[\u4e00-\u9fff]/.test(label ?? ''));
  expect([...new Set(untranslated)].sort()).toEqual(['DELETE', 'JSON', 'PATCH', 'POST', 'PUT']);
  for (const { name, description, inputSchema } of templates.map((one) =>
    spokenTemplate(one, chinese),
  )) {
    const titles = Object.values(inputSchema['properties'] as Record<string, { title: string }>);
    for (const text of [name, description, ...titles.map(({ title }) => title)])
      expect(text).toMatch(/[\u4e00-\u9fff]/);
  }
});

it('a node of a plugin keeps its own words', async () => {
  const t = await translating('zh-CN');
  const kind = {
    type: 'delay',
    tool: 'x',
    label: 'Rest',
    inputs: [],
    outputs: [],
    pluginId: 'a.b',
  };
  expect(spokenKinds(new Map([['delay', kind]]), t).get('delay')?.label).toBe('Rest');
});
