import { expect, it } from 'vitest';
import { api, type PluginWarning } from '../../contract/index.ts';
import { packPlugin, type Packing } from '../../testing/packages.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startTestHost());

const fileOf = async (packing: Packing): Promise<Blob> =>
  new Blob([new Uint8Array(await packPlugin(packing))]);

/** The warnings, which inspecting and uploading must have in common. */
async function warningsOf(packing: Packing): Promise<PluginWarning[]> {
  const file = await fileOf(packing);
  const { warnings } = await host.client.call(api.market.inspect, { file, fields: {} });
  const uploaded = await host.client.call(api.market.upload, { file, fields: {} });
  expect(uploaded.warnings).toEqual(warnings);
  return warnings;
}

async function refusalOf(packing: Packing): Promise<{ detail: string; errors: unknown }> {
  const file = await fileOf(packing);
  const refused: unknown = await host.client
    .call(api.market.inspect, { file, fields: {} })
    .catch((error: unknown) => error);
  return (refused as { problem: { detail: string; errors: unknown } }).problem;
}

it('a correct package has no warnings', async () => {
  expect(await warningsOf({ manifest: { $schema: 'https://example.com/s.json' } })).toEqual([]);
});

it('unknown keys are named with the most similar known one', async () => {
  const manifest = {
    permission: ['files.read'],
    aitools: [],
    methods: { ping: { descriptoin: 'x' } },
    worker: { memory: 5 },
  };
  expect(await warningsOf({ manifest })).toEqual(
    [
      ['permission', 'permissions'],
      ['aitools', 'aiTools'],
      ['worker.memory', 'memoryMb'],
      ['methods.ping.descriptoin', 'description'],
    ].map(([path, suggestion]) => ({
      path,
      message: 'is unknown and has no effect',
      text: { code: 'package.unknownField' },
      suggestion,
    })),
  );
});

it('ignored nodes and options are named with the reason', async () => {
  const inputs = [
    { name: 'a', label: 'A', widget: 'dropdown', source: { method: 'lst' } },
    { name: 'b', label: 'B', widget: 'selct', optionsFromContext: 5, context: { from: 'x' } },
  ];
  const manifest = {
    methods: { list: {} },
    aiTools: [{ name: 'count_words', description: '', method: 'list' }],
    flowNodes: [{ type: 'n', tool: 'count_word', label: 'N', inputs, outputs: [] }],
  };
  const warnings = await warningsOf({ manifest });
  expect(warnings.map(({ path, suggestion }) => [path, suggestion])).toEqual([
    ['flowNodes.0.tool', 'count_words'],
    ['flowNodes.0.inputs.0.widget', undefined],
    ['flowNodes.0.inputs.0.source.method', 'list'],
    ['flowNodes.0.inputs.1.widget', 'select'],
    ['flowNodes.0.inputs.1.context', undefined],
    ['flowNodes.0.inputs.1.optionsFromContext', undefined],
    ['flowNodes.0.inputs.1.context.from', undefined],
  ]);
  expect(warnings[0]?.message).toContain('is left out');
});

it('resources that the content security policy blocks are named with file and line', async () => {
  const page = [
    '<!doctype html><title>p</title>',
    '<script src="https://cdn.example.com/x.js"></script>',
    '<script>go();</script><button onclick="go()">Go</button>',
    '<script src="/main.js"></script>',
  ].join('\n');
  const warnings = await warningsOf({ files: { 'ui/index.html': page } });
  expect(warnings.map(({ path }) => path)).toEqual([
    'ui/index.html:3',
    'ui/index.html:3',
    'ui/index.html:2',
    'ui/index.html:4',
  ]);
});

it('hooks that cannot run are named', async () => {
  const command = (name: string, script: string) => ({ name, type: 'command', command: script });
  const hooks = {
    PreToolUse: [
      {
        hooks: [
          command('plain', '${CLAUDE_PLUGIN_ROOT}/hooks/a.sh'),
          command('gone', '"${CLAUDE_PLUGIN_ROOT}"/hooks/b.sh'),
          command('fine', 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/a.sh"'),
          { name: 'prompt', type: 'prompt', prompt: 'x' },
        ],
      },
    ],
  };
  const files = { 'hooks/hooks.json': JSON.stringify({ hooks }), 'hooks/a.sh': '#!/bin/sh' };
  const warnings = await warningsOf({ files, options: { mode: 0o100644 } });
  expect(warnings.map(({ message }) => message)).toEqual([
    'cannot run: hooks/a.sh is not executable',
    'cannot run: hooks/b.sh is not in the package',
    expect.stringMatching(/^never runs\. /),
  ]);
});

it('hooks at the root and hooks declared by a Claude manifest are checked, too', async () => {
  const hooks = (name: string) => ({
    Stop: [{ hooks: [{ name, type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/gone.sh' }] }],
  });
  const files = {
    'hooks.json': JSON.stringify({ hooks: hooks('root') }),
    'extra/more.json': JSON.stringify({ hooks: hooks('named') }),
    '.claude-plugin/plugin.json': JSON.stringify({
      name: 'demo',
      hooks: ['./extra/more.json', './extra/none.json', hooks('inline')],
    }),
  };
  const warnings = await warningsOf({ files });
  expect(warnings.map(({ path, message }) => [path.split(':')[0], message])).toEqual([
    ['extra/none.json', 'does not exist'],
    ['hooks.json', 'cannot run: gone.sh is not in the package'],
    ['extra/more.json', 'cannot run: gone.sh is not in the package'],
    ['hooks[2]', 'cannot run: gone.sh is not in the package'],
  ]);
});

it('an entry page is checked in any folder', async () => {
  const manifest = { ui: { entry: 'ui/app/start.html' } };
  const files = { 'ui/app/start.html': '<script>go();</script>' };
  const warnings = await warningsOf({ manifest, files });
  expect(warnings.map(({ path }) => path)).toEqual(['ui/app/start.html:1']);
});

it('an unusable package is refused with file, field and line, and with what to do', async () => {
  const broken = '{\n  "id": "acme.demo",,\n  "name": "Demo"\n}';
  const noJson = await refusalOf({ files: { 'manifest.json': broken } });
  expect(noJson.errors).toMatchObject([
    {
      path: 'manifest.json',
      message: 'is not JSON in UTF-8 (line 2, column 21)',
      text: { code: 'package.notJsonAt', parameters: { line: 2, column: 21 } },
    },
  ]);
  expect(noJson.detail).toMatch(/Correct it and pack it again, or get another copy/);
  const text =
    '{\n  "id": "acme.demo",\n  "name": "Demo",\n  "version": "1.0.0",\n  "methods": {\n    "a": {},\n    "b": { "timeoutSeconds": -1 }\n  }\n}';
  const wrong = await refusalOf({ files: { 'manifest.json': text } });
  expect(wrong.errors).toMatchObject([
    {
      path: 'methods.b.timeoutSeconds',
      message: expect.stringMatching(/\(manifest\.json, line 7\)$/) as unknown,
      text: expect.objectContaining({ code: 'package.atLine' }) as unknown,
    },
  ]);
  const node = { 'backend/worker.jar': null, 'backend/worker.mjs': '' };
  expect((await refusalOf({ files: node })).detail).toContain('set worker.runtime to "node"');
});
