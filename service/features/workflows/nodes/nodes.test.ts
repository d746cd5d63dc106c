import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { api, NodeWidget, type NodeOption, type WorkflowNode } from '../../../contract/index.ts';
import { ServiceError } from '../../../client/index.ts';
import { packPlugin } from '../../../testing/packages.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const { workflows, market, plugins } = api;

type Values = Record<string, unknown>;
const input = (name: string, more: Values = {}) => ({
  name,
  label: name,
  widget: 'select',
  ...more,
});
const rows = [
  { id: 1, words: { en: 'One' }, more: 'first' },
  { id: 'two', words: { en: 'Two' }, more: null },
  { words: { en: 'No id' } },
];
const mapping = { value: 'id', label: 'words.en', labelSecondary: 'more' };

/** A node with every kind of choice. */
const node = {
  type: 'acme.pick',
  tool: 'echo_words',
  label: 'Pick',
  color: '#123456',
  icon: 'text',
  inputs: [
    input('fixed', { options: [{ value: 'a', label: 'A' }] }),
    input('listed', { source: { method: 'echo', params: { list: rows }, ...mapping } }),
    input('tagged', { source: { tool: 'echo_words', params: { tags: ['x', 2] }, multiple: true } }),
    input('following', { source: { method: 'echo', params: { of: ['{{inputs.fixed}}'] } } }),
    input('data', { widget: 'analyze', context: { from: 'file', method: 'echo' } }),
    input('column', { optionsFromContext: 'data.file.columns' }),
    input('mapped', { optionsFromContext: { context: 'data', path: 'file.rows', ...mapping } }),
    input('failing', { source: { method: 'fail' } }),
    input('hanging', { source: { method: 'hang' } }),
    input('unknown', { source: { method: 'nope' } }),
    input('many', {
      source: { method: 'echo', params: { list: Array.from(Array(1_500).keys()) } },
    }),
    input('lost', { optionsFromContext: 'fixed' }),
    input('file', { widget: 'text' }),
  ],
  outputs: [{ name: 'all', label: 'All' }],
};
const widgets = {
  type: 'acme.widgets',
  tool: 'echo_words',
  label: 'Widgets',
  outputs: [],
  inputs: [...NodeWidget.options, 'dial'].map((widget) => ({
    name: widget,
    label: widget,
    widget,
  })),
};
const odd = {
  type: 'acme.odd',
  tool: 'echo_words',
  label: 'Odd',
  inputs: [input('x', { source: 5, context: 'y', optionsFromContext: [], own: 'kept' })],
  outputs: [{ name: 'o', label: 'O', path: 'p', branch: {} }],
};
const aiTool = (name: string, more: Values = {}) => ({
  name,
  description: 'Echoes.',
  method: 'echo',
  effect: 'read',
  ...more,
});
const methods = { echo: {}, fail: {}, hang: {}, received: {} };
const manifest = {
  id: 'acme.nodes',
  worker: { runtime: 'node' },
  methods,
  aiTools: [
    aiTool('echo_words'),
    aiTool('write_words', { effect: 'write' }),
    aiTool('list_words', { method: 'received' }),
  ],
  flowNodes: [node, widgets, odd, { ...widgets, type: 'acme.gone', tool: 'none' }],
};

async function install(manifestFields: Values): Promise<void> {
  const worker = join(import.meta.dirname, '../../../testing/workers/versatile.mjs');
  const files = { 'backend/worker.mjs': await readFile(worker, 'utf8') };
  const file = new Blob([await packPlugin({ manifest: manifestFields, files })]);
  await host.client.call(market.upload, { file });
}
const host = await useForFile(startTestHost());

beforeAll(async () => {
  await install(manifest);
});

const nodes = (): Promise<WorkflowNode[]> => host.client.call(workflows.nodes);
const find = async (type: string): Promise<WorkflowNode | undefined> =>
  (await nodes()).find((one) => one.type === type);
const options = (name: string, values: Values = {}, type = node.type): Promise<NodeOption[]> =>
  host.client.call(workflows.nodeOptions, { params: { type }, body: { input: name, values } });
async function refusal(work: Promise<unknown>): Promise<[number, string, string]> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof ServiceError)) throw new Error('It was not refused.', { cause: error });
  const { status, code, detail } = error.problem;
  return [status, code, detail];
}

describe('the nodes', () => {
  it('of the host come first, and each has a tool of that name in the catalog [FLOW-07]', async () => {
    const own = (await nodes()).filter(
      ({ pluginId, group }) => pluginId === null && group === undefined,
    );
    expect(own.map(({ type }) => type)).toEqual([
      ...['json_format', 'text_template', 'http_get', 'http_request'],
      ...['condition', 'delay', 'notify', 'confirm_send'],
    ]);
    const tools = await host.client.call(api.tools.list);
    for (const { tool, inputs } of own) {
      const schema = tools.find(({ name }) => name === tool)?.inputSchema;
      const inputNames = Object.keys(schema?.['properties'] ?? {});
      expect(inputNames, tool).toEqual(expect.arrayContaining(inputs.map(({ name }) => name)));
    }
  });

  it('of a plugin are listed as declared, with every type of widget [FLOW-01, FLOW-02]', async () => {
    const found = await find(node.type);
    expect(found).toMatchObject({ ...node, pluginId: 'acme.nodes' });
    const widgetNames = (await find(widgets.type))?.inputs.map(({ widget }) => widget);
    expect(widgetNames).toEqual([
      ...['text', 'number', 'switch', 'select', 'textarea', 'json', 'analyze', 'rows'],
      // An unknown type accepts anything.
      'json',
    ]);
    // A node without its tool could not run.
    expect(await find('acme.gone')).toBeUndefined();
  });

  it('of a plugin may have invalid parts, which are left out', async () => {
    expect(await find(odd.type)).toEqual({
      ...odd,
      pluginId: 'acme.nodes',
      inputs: [input('x', { own: 'kept' })],
      outputs: [{ name: 'o', label: 'O', path: 'p' }],
    });
  });

  it('of two plugins are distinguished, and disappear when their plugin is disabled', async () => {
    const json = { ...widgets, type: 'json_format' };
    await install({ ...manifest, id: 'acme.other', flowNodes: [node, json] });
    const other = await find('acme.other:acme.pick');
    // Both plugins have a tool of that name, so each name is prefixed with its plugin.
    expect(other).toMatchObject({ pluginId: 'acme.other', tool: 'acme_other__echo_words' });
    expect((await find(node.type))?.tool).toBe('acme_nodes__echo_words');
    expect((await find('json_format'))?.pluginId).toBeNull();
    expect((await find('acme.other:json_format'))?.pluginId).toBe('acme.other');
    const of = { params: { id: 'acme.other' } };
    await host.client.call(market.setEnabled, { ...of, body: { enabled: false } });
    expect(await find('acme.other:acme.pick')).toBeUndefined();
    expect((await find(node.type))?.tool).toBe('echo_words');
    expect((await refusal(options('fixed', {}, 'acme.other:acme.pick'))).slice(0, 2)).toEqual([
      ...[404, 'unknown_node_type'],
    ]);
  });

  it('of a plugin compile to calls of its tools', async () => {
    const graph = {
      nodes: [{ id: 'a', data: { nodeType: node.type, inputs: { fixed: 'a', tagged: ['x'] } } }],
      edges: [],
    };
    const { plan } = await host.client.call(workflows.compile, { body: { graph } });
    expect(plan.steps).toEqual([
      {
        id: 'a',
        title: 'Pick',
        tool: 'echo_words',
        dependsOn: [],
        arguments: { fixed: 'a', tagged: ['x'] },
      },
    ]);
  });
});

describe('the options of an input', () => {
  const mapped = [
    { value: 1, label: 'One', secondary: 'first' },
    { value: 'two', label: 'Two' },
  ];

  it('are those that it declares [FLOW-03]', async () => {
    expect(await options('fixed')).toEqual([{ value: 'a', label: 'A' }]);
    const [first] = await options('operation', {}, 'json_format');
    expect(first).toEqual({ value: 'pretty', label: 'Format' });
  });

  it('are a list from the plugin, mapped as declared, for one choice or several [FLOW-04, FLOW-05]', async () => {
    expect(await options('listed')).toEqual(mapped);
    expect(await options('tagged')).toEqual([
      { value: 'x', label: 'x' },
      { value: 2, label: '2' },
    ]);
    expect((await find(node.type))?.inputs.find(({ name }) => name === 'tagged')).toMatchObject({
      source: { multiple: true },
    });
    expect(await options('following', { fixed: 'b' })).toEqual([{ value: 'b', label: 'b' }]);
    expect(await options('following')).toEqual([]);
    expect(await options('many')).toHaveLength(1_000);
  });

  it('are not requested while an input that they depend on is empty or a reference', async () => {
    for (const fixed of [undefined, '', '{{inputs.csv}}', '{{ steps.0.result.x }}', '@file:csv'])
      expect(await options('following', { fixed })).toEqual([]);
    for (const file of ['{{inputs.csv}}', { path: '{{node.a.result}}' }, '@file:csv', ''])
      expect(await options('column', { file })).toEqual([]);
  });

  it('are derived from the value of another input [FLOW-06]', async () => {
    const file = { columns: ['name', 'age'], rows };
    expect(await options('column', { file })).toEqual([
      { value: 'name', label: 'name' },
      { value: 'age', label: 'age' },
    ]);
    expect(await options('mapped', { file })).toEqual(mapped);
    expect(await options('column', {})).toEqual([]);
    expect(await options('column', { file: '' })).toEqual([]);
  });

  it('can be returned with the complete derived value', async () => {
    const context = (name: string, values: Values): Promise<{ value?: unknown }> =>
      host.client.call(workflows.nodeContext, {
        params: { type: node.type },
        body: { input: name, values },
      });
    const file = { columns: ['name', 'age'] };
    expect(await context('data', { file })).toEqual({ value: { file } });
    expect(await refusal(context('data', { file: '' }))).toEqual([
      ...[422, 'no_options', 'Fill in file first; this is derived from it.'],
    ]);
    expect((await refusal(context('fixed', { file }))).slice(0, 2)).toEqual([422, 'no_options']);
    expect((await refusal(context('none', { file }))).slice(0, 2)).toEqual([404, 'unknown_input']);
    const large = refusal(context('data', { file: 'x'.repeat(256 * 1024) }));
    expect((await large).slice(0, 2)).toEqual([502, 'options_failed']);
  });

  it('return an error with the reason if there are none', async () => {
    const of = async (name: string) => (await refusal(options(name))).slice(0, 2);
    expect(await of('file')).toEqual([422, 'no_options']);
    expect(await of('lost')).toEqual([422, 'no_options']);
    expect(await of('absent')).toEqual([404, 'unknown_input']);
    expect(await of('constructor')).toEqual([404, 'unknown_input']);
    expect(await of('unknown')).toEqual([404, 'unknown_method']);
    expect(await refusal(options('failing'))).toEqual([
      ...[502, 'options_failed', 'The plugin reported: no such word'],
    ]);
    expect((await refusal(options('x', {}, 'none'))).slice(0, 2)).toEqual([
      404,
      'unknown_node_type',
    ]);
  });

  it('time out after ten seconds, and their call is cancelled', async () => {
    expect((await refusal(options('hanging'))).slice(0, 2)).toEqual([504, 'options_timed_out']);
    const state = async (): Promise<string> =>
      (await host.client.call(plugins.show, { params: { id: 'acme.nodes' } })).state;
    await expect.poll(state).toBe('stopped');
  });
});

describe('the options of a workflow input', () => {
  const list = (body: { tool: string; value?: string }): Promise<NodeOption[]> =>
    host.client.call(workflows.inputOptions, { body });

  it('are the list of a plugin’s tool, unless its effect is more than read', async () => {
    expect(await list({ tool: 'list_words', value: 'method' })).toContainEqual({
      value: 'host.initialize',
      label: 'host.initialize',
    });
    expect((await refusal(list({ tool: 'write_words' }))).slice(0, 2)).toEqual([422, 'no_options']);
    for (const tool of ['none', 'execute_command', 'json_format'])
      expect((await refusal(list({ tool }))).slice(0, 2)).toEqual([404, 'unknown_tool']);
  });
});

it('a step of a built-in node runs like any other, and its notification is created', async () => {
  const steps = [{ tool: 'notify', arguments: { title: 'From a step' } }];
  const config = { permissionMode: 'full-access', planApproval: false } as const;
  await host.client.call(api.agent.run, { body: { goal: 'Tell', config, workflow: { steps } } });
  await expect
    .poll(() => host.client.call(api.notifications.list, { query: {} }))
    .toContainEqual(expect.objectContaining({ source: 'agent', title: 'From a step' }));
});

it('only the branch not chosen by a condition is skipped, with everything after it', async () => {
  const at = (id: string, nodeType: string, inputs: Values) => ({ id, data: { nodeType, inputs } });
  const graph = {
    nodes: [
      at('first', 'json_format', { json: { n: 5 } }),
      at('if', 'condition', {
        left: '{{node.first.result.value.n}}',
        operator: 'greater',
        right: 3,
      }),
      at('yes', 'text_template', {
        template: '{{name}} is {{node.first.result.value.n}}',
        values: [{ name: 'name', value: 'n' }],
      }),
      at('no', 'text_template', { template: 'small' }),
      at('after no', 'text_template', { template: 'it was {{node.first.result.value.n}}' }),
      at('end', 'json_format', { json: '{{node.if.result.value}}' }),
    ],
    edges: [
      { source: 'first', target: 'if' },
      { source: 'if', sourceHandle: 'true', target: 'yes' },
      { source: 'if', sourceHandle: 'false', target: 'no' },
      { source: 'no', target: 'after no' },
      { source: 'yes', target: 'end' },
      { source: 'after no', target: 'end' },
    ],
  };
  const { plan } = await host.client.call(workflows.compile, { body: { graph } });
  const config = { planApproval: false };
  const body = { goal: 'Choose', config, workflow: plan };
  const { runId } = await host.client.call(api.agent.run, { body });
  const run = () => host.client.call(api.agent.show, { params: { runId } });
  await expect.poll(async () => (await run()).status).toBe('completed');
  const ends = Object.fromEntries(
    (await run()).executions.map(({ stepId, status, result }) => [stepId, { status, result }]),
  );
  expect(ends).toMatchObject({
    if: { status: 'completed', result: { value: true } },
    yes: { status: 'completed', result: { text: 'n is 5' } },
    no: { status: 'skipped' },
    'after no': { status: 'skipped' },
    end: { status: 'completed', result: { value: true } },
  });
});
