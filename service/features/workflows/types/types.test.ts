import { describe, expect, it } from 'vitest';
import { api, type WorkflowGraph } from '../../../contract/index.ts';
import { startAgentHost } from '../../../testing/agent-host.ts';
import { refusal } from '../../../testing/refusal.ts';
import { useForFile } from '../../../testing/use-for-file.ts';
import { schemasFit } from './schemas.ts';

const host = await useForFile(startAgentHost());
const { workflows } = api;

const node = (id: string, nodeType: string, inputs = {}, more = {}) => ({
  id,
  position: { x: 0, y: 0 },
  data: { nodeType, inputs, ...more },
});
const wait = node('wait', 'delay', { seconds: 0 });
const edge = (
  source: string,
  sourceHandle: string | null,
  target: string,
  targetHandle: string,
) => ({
  source,
  sourceHandle,
  target,
  targetHandle,
});
const compile = (graph: WorkflowGraph, properties?: Record<string, unknown>) =>
  host.client.call(workflows.compile, {
    body: { graph, ...(properties && { inputSchema: { type: 'object', properties } }) },
  });
const errorsOf = async (...args: Parameters<typeof compile>): Promise<string[]> =>
  (await refusal(compile(...args))).errors;

describe('compiling a graph', () => {
  it('refuses an edge whose value cannot match, and names both ends', async () => {
    const ask = node('ask', 'notify', {}, { title: 'Tell me' });
    const graph = { nodes: [wait, ask], edges: [edge('wait', 'waited', 'ask', 'title')] };
    expect(await errorsOf(graph)).toEqual([
      'nodes.ask.inputs.title takes text, but waited of Wait is a number, so it cannot be title of Tell me. Convert the value',
    ]);
  });

  it('accepts an edge whose value matches, and one whose type is not declared', async () => {
    const text = node('text', 'text_template', { template: 'Hello' });
    const json = node('json', 'json_format', { json: '5', operation: 'parse' });
    const graph = {
      nodes: [text, json, node('a', 'notify'), node('b', 'delay')],
      edges: [edge('text', 'text', 'a', 'title'), edge('json', 'value', 'b', 'seconds')],
    };
    expect((await compile(graph)).plan.steps).toHaveLength(4);
  });

  it('checks references in forms and workflow inputs; inside a text any value becomes text', async () => {
    const graph = {
      nodes: [
        wait,
        node('ask', 'notify', { title: '{{node.wait.result.waited}}', body: '{{inputs.count}}' }),
      ],
      edges: [{ source: 'wait', target: 'ask' }],
    };
    expect(await errorsOf(graph, { count: { type: 'integer' } })).toEqual([
      expect.stringMatching(/^nodes\.ask\.inputs\.title takes text, but waited of Wait/),
      expect.stringMatching(/^nodes\.ask\.inputs\.body takes text, but count of the inputs/),
    ]);
    const inText = node('ask', 'notify', { title: 'Waited {{node.wait.result.waited}} s' });
    await compile({ ...graph, nodes: [wait, inText] });
  });

  it('knows that a step for each element returns a list, and the type of its elements', async () => {
    const each = node('each', 'delay', { seconds: '{{item}}' }, { forEach: '{{inputs.list}}' });
    const graph = {
      nodes: [each, node('ask', 'notify')],
      edges: [edge('each', null, 'ask', 'title')],
    };
    const list = (type: string) => ({ list: { type: 'array', items: { type } } });
    expect(await errorsOf(graph, list('string'))).toEqual([
      expect.stringMatching(
        /^nodes\.each\.inputs\.seconds takes a number, but item of Wait is text/,
      ),
      expect.stringMatching(/^nodes\.ask\.inputs\.title takes text, but result of Wait is a list/),
    ]);
    expect(await errorsOf({ nodes: [each], edges: [] }, { list: { type: 'number' } })).toEqual([
      expect.stringMatching(/^nodes\.each\.forEach takes a list, but list of the inputs/),
    ]);
  });

  it('also checks plans when they are saved', async () => {
    const steps = [
      { tool: 'delay', arguments: { seconds: 0 } },
      { tool: 'notify', arguments: { title: 'last.result' }, dependsOn: [0] },
    ];
    const created = host.client.call(workflows.create, { body: { name: 'Mine', plan: { steps } } });
    expect((await refusal(created)).errors).toEqual([
      expect.stringMatching(/^steps\.1\.arguments\.title .*result of delay is an object/),
    ]);
  });
});

it('the palette contains the types of inputs and outputs', async () => {
  const nodes = await host.client.call(workflows.nodes);
  const found = (tool: string) => nodes.find((one) => one.tool === tool);
  expect(found('delay')?.inputs[0]).toMatchObject({ name: 'seconds', types: ['number'] });
  expect(found('delay')?.outputs[0]).toMatchObject({ path: 'waited', types: ['number'] });
  expect(found('execute_command')).toMatchObject({ resultTypes: ['object'] });
  expect(found('execute_command')?.outputs).toContainEqual({
    name: 'stdout',
    label: 'stdout',
    path: 'stdout',
    types: ['string'],
  });
});

describe('schemas', () => {
  it.each([
    [{ type: 'integer' }, { type: 'number' }, true],
    [{ type: 'number' }, { type: 'integer' }, true],
    [{ type: ['string', 'null'] }, { type: ['number', 'null'] }, false],
    [{ type: 'string' }, {}, true],
    [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }, true],
    [{ enum: ['a', 'b'] }, { enum: ['c'] }, false],
    [{ const: 5 }, { type: 'string' }, false],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'number' }, true],
    [
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { type: 'number' } },
      false,
    ],
    [
      { type: 'object', properties: { id: { type: 'string' } } },
      { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
      false,
    ],
    [
      { type: 'object', properties: {}, additionalProperties: false },
      { type: 'object', properties: { id: {} }, required: ['id'] },
      false,
    ],
    [{ $ref: '#/$defs/any' }, { type: 'number' }, true],
  ])('%j fits %j: %s', (source, target, fits) => {
    expect(schemasFit(source, target)).toBe(fits);
  });
});
