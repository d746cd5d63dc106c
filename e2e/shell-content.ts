import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { areas } from '../renderer-shell/shell/areas.ts';
import en from '../service/messages/en.json' with { type: 'json' };
import { pathOfRoute } from '../renderer-shell/state/address.ts';
import type { Client } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { nodeServer } from '../service/testing/mcp/real-servers.ts';
import { type ModelServer, startModelServer } from '../service/testing/model-server.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { upload } from '../service/testing/sample-plugin.ts';
import { type StaticServer, startStaticServer } from '../service/testing/store/static-server.ts';

/** Content from other sources: maps a description to the text to show. */
export type Translate = (what: string) => string;

/** Servers and texts that content is created with. */
export interface TestServers {
  client: Client;
  model: ModelServer;
  /** Serves a catalog of the store. */
  web: StaticServer;
  /** Short names on one line. */
  name: Translate;
  long: Translate;
}

/** Ids of the settings sections, top to bottom, each with a text that it contains. */
export const settingsSections = Object.keys(en.shell.sections).filter(
  (name) => `${name}Text` in en.shell.sections,
);

/** All built-in areas and sections of the shell, including new ones. */
export const routes = [
  ...areas.map(({ route }) => pathOfRoute(route)),
  ...settingsSections.map((id) => pathOfRoute({ area: 'settings', id })),
];

export const pluginId = 'com.example.measure';
const listing = join(import.meta.dirname, '..', 'service', 'testing', 'mcp', 'listing-server.mjs');

const pageOfPlugin = `<!doctype html><html lang="en"><title>Measure</title>
<script src="_host/plugin-client.js"></script><script src="page.js" defer></script>
<h1>Measure</h1><button id="file">Read a file</button><output></output></html>`;
const scriptOfPage = `
document.getElementById('file').addEventListener('click', () => {
  PluginClient.pickFile().then(() => undefined, () => undefined);
});`;
const worker = `
import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  if (method === 'host.initialize') {
    process.stderr.write(LOG.join('\\n') + '\\n');
    return say({ id, result: {} });
  }
  say({ id, result: { said: LOG.join(' ') } });
});
`;

/** Provides a model and a catalog server for each test of a file. */
export function startTestServers(): { model: () => ModelServer; web: () => StaticServer } {
  let model: ModelServer;
  let web: StaticServer;
  test.beforeEach(async () => {
    model = await startModelServer();
    web = await startStaticServer();
  });
  test.afterEach(async () => {
    await model.close();
    await web.close();
  });
  return { model: () => model, web: () => web };
}

/** Creates content for everything that the shell shows; returns the paths that show it. */
export async function seedHost(around: TestServers): Promise<string[]> {
  const { client, model } = around;
  await client.call(api.aiConfig.put, {
    body: {
      activeMode: 'cloud_c',
      cloud_c: { apiKey: 'key-of-the-test', model: 'test-model', baseUrl: model.baseUrl },
    },
  });
  await fillSettings(around);
  await fillPlugin(around);
  await notify(around);
  return [
    `/plugins/${pluginId}`,
    `/chat/${await talk(around)}`,
    `/mcp/${await connect(around)}`,
    `/agent/${await run(around)}`,
    `/flows/${await draw(around)}`,
    `/store/${await offer(around)}`,
    ...['/agent/tasks', '/agent/schedules', '/store/~sources', '/store/~updates'],
    ...['/mcp/new', '/mcp/import'],
  ];
}

async function fillSettings({ client, name, long }: TestServers): Promise<void> {
  await client.call(api.settings.put, {
    body: {
      permissionMode: 'full-access',
      memoryEnabled: true,
      hooks: [
        {
          name: name('After a run'),
          event: 'run_complete',
          type: 'command',
          command: long('echo done'),
          enabled: false,
        },
      ],
      permissionRules: { deny: '', ask: '', allow: 'Command(ls:*)' },
    },
  });
}

async function fillPlugin({ client, name, long }: TestServers): Promise<void> {
  const log = [name('The worker is ready.'), name('Words are counted.')];
  const manifest = {
    id: pluginId,
    name: name('Measure'),
    version: '1.2.0',
    author: name('Ada'),
    description: long('Tells how long texts are.'),
    permissions: ['files.read'],
    worker: { runtime: 'node' },
    methods: { count: {} },
    aiTools: [
      {
        name: 'measure',
        description: long('Tells how long a text is.'),
        method: 'count',
        effect: 'read',
        inputSchema: { type: 'object', properties: {} },
      },
    ],
  };
  const files = {
    'backend/worker.jar': null,
    'backend/worker.mjs': `const LOG = ${JSON.stringify(log)};\n${worker}`,
    'ui/index.html': pageOfPlugin,
    'ui/page.js': scriptOfPage,
  };
  await upload({ client }, await packPlugin({ manifest, files }));
  await client.call(api.market.setEnabled, { params: { id: pluginId }, body: { enabled: true } });
  await client.call(api.plugins.invoke, {
    params: { id: pluginId },
    body: { callId: 'first', method: 'count', params: {} },
  });
}

async function notify({ client, name, long }: TestServers): Promise<void> {
  for (const level of ['info', 'success', 'warning', 'error'] as const)
    await client.call(api.notifications.create, {
      body: {
        source: 'host',
        level,
        title: name(`Something of level ${level}`),
        body: long('It says more here.'),
        link: `/plugins/${pluginId}`,
      },
    });
}

async function talk({ client, name, long }: TestServers): Promise<string> {
  const { id } = await client.call(api.conversations.create, {
    body: {
      title: name('Fruit'),
      messages: [
        { role: 'user', content: long('Which fruit is the longest?') },
        {
          role: 'assistant',
          content: long('Bananas, **mostly**.\n\n| fruit | cm |\n|---|---|\n| banana | 18 |'),
        },
      ],
    },
  });
  return id;
}

async function connect({ client, name, long }: TestServers): Promise<string> {
  const lists = {
    tools: [
      {
        name: 'lookup',
        title: name('Look up'),
        description: long('Looks a word up.'),
        inputSchema: { type: 'object', properties: { word: { type: 'string', title: name('W') } } },
      },
    ],
    prompts: [{ name: name('greet'), description: long('Greets somebody.'), arguments: [] }],
    resources: [{ name: name('readme'), uri: 'test://readme', description: long('Read it.') }],
  };
  const body = nodeServer(listing, [JSON.stringify(lists)], { name: 'words' });
  const { id } = await client.call(api.mcp.create, { body });
  await expect.poll(async () => (await client.call(api.mcp.status)).connected).toBe(1);
  return id;
}

/** A finished run with the output of its tool. */
async function run({ client, name, long }: TestServers): Promise<string> {
  const { runId } = await client.call(api.agent.run, {
    body: {
      goal: long('Count the words of the note'),
      config: { planApproval: false },
      workflow: {
        summary: long('Counts the words and tells the number.'),
        steps: [
          { title: name('Count the words'), tool: 'measure', arguments: {} },
          { title: name('Tell it'), tool: 'measure', arguments: {}, dependsOn: [0] },
        ],
      },
    },
  });
  const show = () => client.call(api.agent.show, { params: { runId } });
  const first = await show();
  if (first.status === 'awaiting_plan_approval')
    await client.call(api.agent.approve, { params: { runId }, body: {} });
  await expect.poll(async () => (await show()).status).toBe('completed');
  return runId;
}

/** Creates a workflow with a note, and a schedule for it. */
async function draw({ client, name, long }: TestServers): Promise<string> {
  const step = { nodeType: 'wait', inputs: {}, title: name('Wait a while') };
  const graph = {
    nodes: [
      { id: 'wait', type: 'step', position: { x: 0, y: 0 }, data: step },
      { id: 'n', type: 'sticky', position: { x: 0, y: 220 }, data: { text: long('A note.') } },
    ],
    edges: [],
  };
  const { id } = await client.call(api.workflows.create, {
    body: { name: name('Remind me'), description: long('Waits.'), draft: true, graph },
  });
  return id;
}

async function offer({ client, web, name, long }: TestServers): Promise<string> {
  const offered = {
    id: 'acme.offered',
    name: name('Offered'),
    version: '1.0.0',
    author: name('Acme'),

    description: long('Can be installed.'),
    package: 'offered.plugin',
    category: name('text'),
  };
  const manifest = { id: offered.id, name: name('Offered') };
  web.files.set('/offered.plugin', await packPlugin({ manifest }));
  web.files.set('/packages.json', JSON.stringify({ name: name('Packages'), plugins: [offered] }));
  await client.call(api.store.addSource, { body: { url: `${web.baseUrl}/packages.json` } });
  return offered.id;
}
