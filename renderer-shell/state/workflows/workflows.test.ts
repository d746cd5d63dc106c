import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../../service/contract/index.ts';
import { arranged } from './arrange.ts';
import { refusalOf } from './connecting.ts';
import type { Graph, GraphNode } from './graph.ts';
import { readGraph } from './graph.ts';
import { copyOf, moved, pasted, withEdge, withInput, without, withStep } from './graph-edits.ts';
import { after, historyOf, maxUndoSteps, redone, undone } from './history.ts';
import { fieldsOf, nameError, newField, schemaOf } from './input-fields.ts';
import { offeredValues } from './offered-values.ts';
import { byNode, inputProblem, locateProblems } from './problems.ts';
import { visibleFields, sentInputs } from './run-inputs.ts';

const kind = (type: string, more: Partial<WorkflowNode> = {}): [string, WorkflowNode] => [
  type,
  {
    type,
    tool: type,
    label: type,
    pluginId: null,
    inputs: [{ name: 'text', label: 'Text', widget: 'text' }],
    outputs: [{ name: 'all', label: 'All', path: 'all' }],
    ...more,
  },
];
const kinds = new Map([
  kind('say'),
  kind('if', {
    outputs: [
      { name: 'true', label: 'If so', path: 'value', branch: true },
      { name: 'false', label: 'If not', path: 'value', branch: false },
    ],
  }),
]);

const node = (id: string, nodeType = 'say', more: Partial<GraphNode> = {}): GraphNode => ({
  id,
  position: { x: 0, y: 0 },
  data: { nodeType, inputs: {} },
  ...more,
});
const graphOf = (ids: string[], ...wires: [string, string, string?, string?][]): Graph =>
  wires.reduce<Graph>(
    (graph, [source, target, sourceHandle, targetHandle]) =>
      withEdge(graph, {
        source,
        target,
        sourceHandle: sourceHandle ?? null,
        targetHandle: targetHandle ?? null,
      }),
    { nodes: ids.map((id) => node(id, id.startsWith('if') ? 'if' : 'say')), edges: [] },
  );

describe('the history of a graph', () => {
  it('undoes 50 changes, and redoes them', () => {
    let history = historyOf(0);
    for (let value = 1; value <= 60; value += 1) history = after(history, value, { atMs: 0 });
    expect(maxUndoSteps).toBe(50);
    for (let back = 0; back < 60; back += 1) history = undone(history);
    expect(history.present).toBe(10);
    for (let again = 0; again < 60; again += 1) history = redone(history);
    expect(history.present).toBe(60);
  });

  it('treats continuous typing into one field as one change', () => {
    let history = historyOf('');
    history = after(history, 'a', { key: 'name', atMs: 0 });
    history = after(history, 'ab', { key: 'name', atMs: 1_000 });
    history = after(history, 'abc', { key: 'name', atMs: 2_400 });
    expect(undone(history).present).toBe('');
    expect(undone(after(history, 'abcd', { key: 'name', atMs: 9_000 })).present).toBe('abc');
    expect(undone(after(history, 'abcd', { key: 'other', atMs: 2_500 })).present).toBe('abc');
    // After undoing, typing starts a new change.
    const back = undone(after(history, 'x', { atMs: 2_500 }));
    expect(undone(after(back, 'abc!', { key: 'name', atMs: 2_600 })).present).toBe('abc');
  });

  it('discards undone changes after a new change, but not for an equal value', () => {
    const history = undone(after(historyOf(1), 2, { atMs: 0 }));
    expect(redone(after(history, 3, { atMs: 0 })).present).toBe(3);
    expect(after(history, 1, { atMs: 0 })).toBe(history);
  });
});

describe('a connection', () => {
  it.each([
    ['with itself', ['a', 'a'], 'self'],
    ['that closes a cycle', ['c', 'a'], 'circle'],
    ['that already exists', ['a', 'b'], 'same'],
    ['of a second value with one input', ['c', 'd', 'all', 'text'], 'sources'],
    ['of a way with a value', ['if', 'c', 'true', 'text'], 'branch'],
    ['of a second way', ['if', 'd', 'false', 'in'], 'conditions'],
    ['with what is not there', ['a', 'nobody'], 'note'],
    ['of another order', ['a', 'c'], null],
    ['of a value with a free input', ['a', 'c', 'all', 'text'], null],
    ['of a first way', ['if', 'c', 'false', 'in'], null],
  ] as const)('%s is %o: %o', (_, [source, target, sourceHandle, targetHandle], refusal) => {
    const graph = graphOf(
      ['a', 'b', 'c', 'd', 'if'],
      ...([
        ['a', 'b'],
        ['b', 'c'],
        ['a', 'd', 'all', 'text'],
        ['if', 'd', 'true'],
      ] as [string, string][]),
    );
    const wire = { source, target, sourceHandle: sourceHandle ?? null };
    expect(refusalOf(graph, kinds, { ...wire, targetHandle: targetHandle ?? null })).toBe(refusal);
  });
});

describe('a graph', () => {
  it('loses the edges of the nodes that are removed', () => {
    const graph = graphOf(['a', 'b', 'c'], ['a', 'b'], ['b', 'c'], ['a', 'c']);
    const remaining = without(graph, new Set(['b']));
    expect(remaining.nodes.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(remaining.edges.map(({ source, target }) => [source, target])).toEqual([['a', 'c']]);
    expect(without(graph, new Set(['nobody']))).toBe(graph);
  });

  it('pastes copies that refer to each other and not to the originals', () => {
    let graph = graphOf(['a', 'b'], ['a', 'b', 'all', 'text']);
    graph = withInput(graph, 'b', 'text', '{{node.a.result.x}} and {{node.other.result}}');
    const copy = copyOf(graph, new Set(['a', 'b']));
    const { graph: next, ids } = pasted(graph, copy, { x: 40, y: 40 });
    expect([...ids]).toEqual(['a_2', 'b_2']);
    const placed = next.nodes.find(({ id }) => id === 'b_2');
    expect(placed).toMatchObject({
      position: { x: 40, y: 40 },
      data: { inputs: { text: '{{node.a_2.result.x}} and {{node.other.result}}' } },
    });
    expect(next.edges.at(-1)).toMatchObject({
      source: 'a_2',
      sourceHandle: 'all',
      target: 'b_2',
      targetHandle: 'text',
    });
    expect(new Set(next.edges.map(({ id }) => id)).size).toBe(2);
  });

  it('preserves unknown fields, and can be read although parts cannot be drawn', () => {
    const stored = {
      nodes: [
        { id: 'a', width: 20, data: { nodeType: 'say', color: 'red' }, position: { x: 1, y: 'x' } },
        { id: 'a', data: {} },
        { data: {} },
      ],
      edges: [
        { source: 'a', target: 'nobody' },
        { source: 'a' },
        { source: 'a', target: 'a', animated: true },
      ],
      mood: 'calm',
    };
    expect(readGraph(stored)).toEqual({
      nodes: [{ ...stored.nodes[0], position: { x: 1, y: 0 } }],
      edges: [{ id: 'edge-2', source: 'a', target: 'a', animated: true }],
      mood: 'calm',
    });
    expect(readGraph(undefined).nodes).toEqual([]);
  });

  it('creates step ids that are valid in references, and returns the same graph if nothing moves', () => {
    const first = withStep(
      { nodes: [], edges: [] },
      { nodeType: 'p.q:do it', position: { x: 0.4, y: 1 } },
    );
    expect(first.id).toBe('do_it');
    expect(withStep(first.graph, { nodeType: 'do it', position: { x: 0, y: 0 } }).id).toBe(
      'do_it_2',
    );
    expect(moved(first.graph, new Map([['do_it', { x: 0.2, y: 1.1 }]]))).toBe(first.graph);
  });

  it('is laid out from left to right in the order of its edges', () => {
    const graph = arranged(graphOf(['c', 'b', 'a'], ['a', 'b'], ['b', 'c']), new Map());
    const at = (id: string) => graph.nodes.find((one) => one.id === id)?.position.x ?? NaN;
    expect(at('a')).toBeLessThan(at('b'));
    expect(at('b')).toBeLessThan(at('c'));
  });
});

it('a step is offered inputs, earlier results, and results that it could depend on', () => {
  const graph = graphOf(['a', 'b', 'c', 'd'], ['a', 'b'], ['b', 'c']);
  const inputSchema = { properties: { city: { type: 'string' } } };
  const offered = offeredValues(graph, kinds, { id: 'b', inputSchema });
  expect(offered.map(({ reference, connects }) => `${reference} ${connects}`)).toEqual([
    '{{inputs.city}} false',
    '{{node.a.result.all}} false',
    '{{node.a.result}} false',
    '{{node.d.result.all}} true',
    '{{node.d.result}} true',
  ]);
});

describe('the inputs of a workflow', () => {
  const schema = {
    type: 'object',
    properties: {
      url: { type: 'string', title: 'Address', minLength: 1, default: 'x' },
      level: { enum: [1, 2, 'high'] },
      papers: { type: 'array', items: { type: 'string', format: 'host-file' } },
      desk: { 'x-host-auto': 'shared-directory' },
      days: { type: 'integer', description: 'How many' },
    },
    required: ['url'],
    additionalProperties: false,
  };

  it('become fields, and are restored unchanged', () => {
    const fields = fieldsOf(schema);
    expect(fields.map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
      ...[
        ['url', 'text', true],
        ['level', 'choice', false],
        ['papers', 'files', false],
      ],
      ...[
        ['desk', 'folder', false],
        ['days', 'integer', false],
      ],
    ]);
    expect(schemaOf(schema, fields)).toEqual(schema);
  });

  it('change their type completely, and keep their texts', () => {
    const fields = fieldsOf(schema).map((field) =>
      field.name === 'url' ? { ...field, type: 'file' as const, defaultValue: undefined } : field,
    );
    const { properties } = schemaOf(schema, fields) as typeof schema;
    expect(properties.url).toEqual({
      title: 'Address',
      minLength: 1,
      type: 'string',
      format: 'host-file',
    });
    const added = schemaOf({}, [newField([])]);
    expect(added).toEqual({ type: 'object', properties: { input1: { type: 'string' } } });
  });

  it('have unique names that are valid in references', () => {
    expect(nameError('a b', [])).toBe('shape');
    expect(nameError('', [])).toBe('shape');
    expect(nameError('city', ['city'])).toBe('taken');
    expect(nameError('city', ['town'])).toBe(null);
  });
});

it('problems are located at their node and input, whatever the id of the node', () => {
  const graph = { nodes: [node('a'), node('a.inputs')], edges: [] };
  const problems = locateProblems(
    [
      { path: 'nodes.a.inputs.text', message: 'one' },
      { path: 'nodes.a.inputs.text.0', message: 'of the other' },
      { path: 'nodes.a', message: 'of the node' },
      { path: 'inputSchema.properties.x', message: 'of the inputs' },
    ],
    graph,
  );
  const found = byNode(problems);
  expect(found.get('a.inputs')?.map(({ field }) => field)).toEqual(['text', 'text.0']);
  expect(found.get('a')).toEqual([{ nodeId: 'a', field: '', message: 'of the node' }]);
  expect(problems.at(-1)).toMatchObject({ nodeId: null, field: 'inputSchema.properties.x' });
  const plain = locateProblems([{ path: 'nodes.b.inputs.rows.2', message: 'odd' }], {
    nodes: [node('b')],
    edges: [],
  });
  expect(inputProblem(plain, 'rows')).toBe('odd');
  expect(inputProblem(plain, 'row')).toBe(null);
});

it('a run receives the filled-in values and files, but nothing that the host creates', () => {
  const fields = visibleFields({
    properties: {
      who: { type: 'string' },
      days: { type: 'integer', default: 3 },
      paper: { type: 'string', format: 'host-file' },
      desk: { 'x-host-auto': 'shared-directory' },
    },
  });
  expect(fields.map(({ name }) => name)).toEqual(['who', 'days', 'paper']);
  const values = { who: '', days: undefined, gone: 1 };
  const files = { paper: [{ name: 'a.pdf', uploadId: 'u1' }] };
  expect(sentInputs(fields, { values, files })).toEqual({
    inputs: { who: '' },
    files: [{ name: 'paper', uploadId: 'u1' }],
  });
  expect(sentInputs(fields, { values: { days: 2 }, files: {} })).toEqual({ inputs: { days: 2 } });
});
