import { describe, expect, it } from 'vitest';
import type { WorkflowGraph, InputSchema } from '../../../contract/index.ts';
import { builtInNodes } from '../nodes/built-in-nodes.ts';
import { compileGraph } from './compile-graph.ts';
import { graphOf } from './graph-of.ts';
import type { NodeType } from './node-types.ts';
import { textOf } from '../../../messages/index.ts';

const form: NodeType = {
  type: 'form',
  tool: 'fill_form',
  label: 'Form',
  inputs: [
    { name: 'name', label: 'Name', widget: 'text', required: true },
    { name: 'count', label: 'Count', widget: 'number' },
    { name: 'loud', label: 'Loud', widget: 'switch', default: false },
    { name: 'data', label: 'Data', widget: 'json' },
    { name: 'list', label: 'List', widget: 'rows' },
    { name: 'tags', label: 'Tags', widget: 'select', source: { method: 'tags', multiple: true } },
  ],
  outputs: [
    { name: 'all', label: 'All' },
    { name: 'first', label: 'First', path: 'items[0].name' },
    { name: 'odd', label: 'Odd', path: 'a b' },
  ],
};
const types = new Map([...builtInNodes, form].map((node): [string, NodeType] => [node.type, node]));
const noInputs: InputSchema = { type: 'object', properties: {} };

type Values = Record<string, unknown>;
const node = (id: string, inputs: Values = {}, more: Values = {}, nodeType = 'form') => ({
  id,
  position: { x: 0, y: 0 },
  data: { nodeType, inputs: nodeType === 'form' ? { name: 'x', ...inputs } : inputs, ...more },
});
const edge = (source: string, target: string, more: Values = {}) => ({ source, target, ...more });
const compile = (graph: WorkflowGraph, inputs = noInputs) => compileGraph(graph, inputs, types);
const problems = (graph: WorkflowGraph, inputs = noInputs): string[] => {
  const done = compile(graph, inputs);
  return 'problems' in done
    ? done.problems.map(({ path, message }) => `${path} ${textOf(message)}`)
    : [];
};
function planOf(graph: WorkflowGraph, inputs = noInputs) {
  const done = compile(graph, inputs);
  if ('problems' in done) throw new Error(JSON.stringify(done.problems));
  return done;
}

describe('a graph', () => {
  it('becomes steps ordered by edges, then positions, then ids, without notes [WORKFLOW-02]', () => {
    const at = (id: string, x: number, y: number) => ({ ...node(id), position: { x, y } });
    const note = { id: 'n', type: 'sticky', position: { x: -9, y: 0 }, data: { text: 'hi' } };
    const nodes = [at('d', 0, 0), at('b', 1, 0), at('a', 1, 0), note, at('c', 0, 5)];
    const { plan, layout } = planOf({ nodes, edges: [edge('a', 'd')] });
    expect(plan.steps.map(({ id }) => id)).toEqual(['c', 'a', 'd', 'b']);
    expect(plan.steps.map(({ dependsOn }) => dependsOn)).toEqual([[], [], [1], []]);
    expect(layout).toEqual({
      '0': { x: 0, y: 5 },
      '1': { x: 1, y: 0 },
      '2': { x: 0, y: 0 },
      '3': { x: 1, y: 0 },
    });
    expect(plan.steps[0]).toEqual({
      id: 'c',
      title: 'Form',
      tool: 'fill_form',
      arguments: { name: 'x', loud: false },
      dependsOn: [],
    });
  });

  it('keeps title, condition, failure handling and retries of its nodes', () => {
    const more = {
      title: ' Mine ',
      when: { value: '{{inputs.go}}', equals: true },
      onFailure: 'continue',
      retry: { maxAttempts: 3, delaySeconds: 1 },
      timeoutSeconds: 60,
    };
    const inputs = { type: 'object', properties: { go: {} } };
    const [step] = planOf({ nodes: [node('a', {}, more)], edges: [] }, inputs).plan.steps;
    expect(step).toMatchObject({ ...more, title: 'Mine' });
  });

  it('runs a step for each element of a list, which any input may use', () => {
    const more = { forEach: '{{node.a.result.items}}' };
    const inputs = { name: 'no. {{index}}', count: '{{item.count}}', loud: '{{item.loud}}' };
    const nodes = [node('a'), node('b', inputs, more)];
    const { plan } = planOf({ nodes, edges: [edge('a', 'b')] });
    expect(plan.steps[1]).toMatchObject({
      forEach: '{{steps.0.result.items}}',
      arguments: { ...inputs, loud: '{{item.loud}}' },
    });
    expect(planOf(graphOf(plan, {}, types)).plan).toEqual(plan);
    const noList = { nodes: [node('a', {}, { forEach: 'a, b' })], edges: [] };
    expect(problems(noList)).toEqual(['nodes.a.forEach must be a list, or a reference to one']);
    expect(problems({ nodes: [node('a', { count: '{{item}}' })], edges: [] })).toEqual([
      expect.stringMatching(/^nodes\.a\.inputs\.count /),
    ]);
  });

  it('replaces references to nodes with the index of their steps', () => {
    const values = { name: 'so: {{node.b.result.x[0]}}, {{ name }}', data: '{{node.b.result}}' };
    const nodes = [node('a', values), node('b'), node('c')];
    const edges = [edge('b', 'c'), edge('c', 'a')];
    const { steps } = planOf({ nodes, edges }).plan;
    expect(steps.map(({ id }) => id)).toEqual(['b', 'c', 'a']);
    expect(steps[2]?.arguments).toMatchObject({
      name: 'so: {{steps.0.result.x[0]}}, {{ name }}',
      data: '{{steps.0.result}}',
    });
    // The step that is used runs before another dependency, and only that one decides whether this
    // step runs.
    expect(steps[2]?.dependsOn).toEqual([1]);
  });

  it('passes values along edges between handles', () => {
    const nodes = [node('a'), node('b', { name: 'typed before' })];
    const by = (sourceHandle: string | null) =>
      planOf({ nodes, edges: [edge('a', 'b', { sourceHandle, targetHandle: 'name' })] }).plan
        .steps[1]?.arguments['name'];
    expect(by('first')).toBe('{{steps.0.result.items[0].name}}');
    expect(by('all')).toBe('{{steps.0.result}}');
    expect(by(null)).toBe('{{steps.0.result}}');
    const plain = planOf({ nodes, edges: [edge('a', 'b', { targetHandle: 'in' })] }).plan;
    expect(plain.steps[1]).toMatchObject({ arguments: { name: 'typed before' }, dependsOn: [0] });
  });

  it('creates conditions from the edges of a condition node', () => {
    const nodes = [
      node('if', { left: 1, operator: 'equals', right: 1 }, {}, 'condition'),
      ...[node('yes'), node('no')],
    ];
    const edges = [
      edge('if', 'yes', { sourceHandle: 'true' }),
      edge('if', 'no', { sourceHandle: 'false' }),
    ];
    const { steps } = planOf({ nodes, edges }).plan;
    const when = (id: string) => steps.find((step) => step.id === id)?.when;
    expect(when('yes')).toEqual({ value: '{{steps.0.result.value}}', equals: true });
    expect(when('no')).toEqual({ value: '{{steps.0.result.value}}', equals: false });
    const twice = [...edges, edge('if', 'yes', { sourceHandle: 'false' })];
    expect(problems({ nodes, edges: twice })).toEqual([
      expect.stringMatching(/^nodes\.yes\.when has two conditions/),
    ]);
    const asValue = [edge('if', 'yes', { sourceHandle: 'true', targetHandle: 'name' })];
    expect(problems({ nodes, edges: asValue })[0]).toMatch(/^nodes\.yes\.inputs\.name .*no value/);
  });

  it('may use any tool without a form', () => {
    const nodes = [node('a'), node('b', { anything: [1] }, {}, 'tool:mcp__x__y')];
    const edges = [edge('a', 'b', { sourceHandle: 'first', targetHandle: 'city' })];
    expect(planOf({ nodes, edges }).plan.steps[1]).toMatchObject({
      tool: 'mcp__x__y',
      title: 'mcp__x__y',
      arguments: { anything: [1], city: '{{steps.0.result.items[0].name}}' },
    });
  });
});

describe('a graph is refused, naming the node, if', () => {
  const two = [node('a'), node('b')];
  const many = (count: number, make = (id: string): Values => node(id)) =>
    Array.from({ length: count }, (_, index) => make(`n${index}`));
  const one = (inputs: Values, more?: Values): WorkflowGraph => ({
    nodes: [node('a', inputs, more)],
    edges: [],
  });
  const sticky = (id: string) => ({ id, type: 'sticky', data: {} });
  const wholeOutput = { sourceHandle: 'all', targetHandle: 'data' };

  const cases: [string, WorkflowGraph, RegExp][] = [
    [
      'nodes wait for each other',
      { nodes: [...two, node('c')], edges: [edge('a', 'b'), edge('b', 'c'), edge('c', 'a')] },
      /^nodes\.(\w) is part of a cycle: (a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c)\./,
    ],
    [
      'a node waits for itself',
      { nodes: two, edges: [edge('a', 'a')] },
      /^nodes\.a is part of a cycle: a -> a/,
    ],
    [
      'an edge leads nowhere',
      { nodes: two, edges: [edge('a', 'x')] },
      /^nodes\.a .*with x, which does not exist/,
    ],
    [
      'an edge comes from nowhere',
      { nodes: two, edges: [edge('x', 'b')] },
      /^nodes\.b .*with x, which/,
    ],
    ['an edge has no ends', { nodes: two, edges: [{ id: 'e', ...edge('x', 'y') }] }, /^edges\.e /],
    [
      'an edge leads to a note',
      { nodes: [...two, sticky('s')], edges: [edge('a', 's')] },
      /^nodes\.a .*with s, which is a note/,
    ],
    [
      'a type is unknown',
      { nodes: [node('a', {}, {}, 'nope')], edges: [] },
      /^nodes\.a\.nodeType .*unknown type nope/,
    ],
    [
      'a type is missing',
      { nodes: [{ id: 'a', data: {} }], edges: [] },
      /^nodes\.a\.nodeType is required/,
    ],
    ['the data is none', { nodes: [{ id: 'a', data: [] }], edges: [] }, /^nodes\.a /],
    [
      'a place is none',
      { nodes: [{ ...node('a'), position: 5 }], edges: [] },
      /^nodes\.a\.position must be/,
    ],
    ['a node has no id', { nodes: [{ data: {} }], edges: [] }, /^nodes\.0\.id must be a text/],
    [
      'two nodes have one id',
      { nodes: [node('a'), node('a')], edges: [] },
      /^nodes\.a is the ID of two/,
    ],
    [
      'a note has the id of a node',
      { nodes: [node('a'), sticky('a')], edges: [] },
      /^nodes\.a is the ID/,
    ],
    [
      'two edges have one id',
      {
        nodes: two,
        edges: [
          { id: 'e', ...edge('a', 'b') },
          { id: 'e', ...edge('a', 'b') },
        ],
      },
      /^edges\.e is the ID of two/,
    ],
    ['an input is missing', one({ name: '' }), /^nodes\.a\.inputs\.name Name is required/],
    [
      'an input is not declared',
      one({ nom: 1 }),
      /^nodes\.a\.inputs\.nom is not an input of Form\. It has name/,
    ],
    ['a text is a number', one({ name: 5 }), /^nodes\.a\.inputs\.name must be a text/],
    ['a number is a text', one({ count: '5' }), /^nodes\.a\.inputs\.count must be a number/],
    ['a switch is a text', one({ loud: 'yes' }), /^nodes\.a\.inputs\.loud must be true or false/],
    ['rows are an object', one({ list: {} }), /^nodes\.a\.inputs\.list must be a list/],
    ['several choices are one', one({ tags: 'x' }), /^nodes\.a\.inputs\.tags must be a list/],
    [
      'a choice is not offered',
      { nodes: [node('a', { json: 1, operation: 'eat' }, {}, 'json_format')], edges: [] },
      /^nodes\.a\.inputs\.operation must be one of pretty, /,
    ],
    [
      'an input is not known to the workflow',
      one({ name: '{{inputs.no}}' }),
      /^nodes\.a\.inputs\.name inputs\.no refers to an input/,
    ],
    [
      'a reference is none',
      one({ data: ['{{node.a}}'] }),
      /^nodes\.a\.inputs\.data\.0 node\.a is not a valid reference/,
    ],
    [
      'a reference names itself',
      one({ name: '{{node.a.result}}' }),
      /^nodes\.a\.inputs\.name .*the node itself/,
    ],
    [
      'a reference names no node',
      one({ name: '{{node.z.result}}' }),
      /^nodes\.a\.inputs\.name .*does not exist/,
    ],
    [
      'a reference is not led to by edges',
      { nodes: [node('a', { name: '{{node.b.result}}' }), node('b')], edges: [] },
      /^nodes\.a\.inputs\.name node\.b\.result needs an edge from b to a/,
    ],
    ['a condition is none', one({}, { when: 5 }), /^nodes\.a\.when /],
    [
      'a condition refers to what is not led to',
      { nodes: [node('a', {}, { when: { value: '{{node.b.result}}' } }), node('b')], edges: [] },
      /^nodes\.a\.when\.value .*needs an edge from b to a/,
    ],
    [
      'two values flow into one input',
      {
        nodes: [...two, node('c')],
        edges: [edge('a', 'c', wholeOutput), edge('b', 'c', wholeOutput)],
      },
      /^nodes\.c\.inputs\.data has two sources/,
    ],
    [
      'an output is unknown',
      { nodes: two, edges: [edge('a', 'b', { sourceHandle: 'z' })] },
      /^nodes\.b .*z of a, which has the outputs all, first/,
    ],
    [
      'an input handle is unknown',
      { nodes: two, edges: [edge('a', 'b', { targetHandle: 'z' })] },
      /^nodes\.b\.inputs\.z is not an input/,
    ],
    [
      'a path cannot be written',
      { nodes: two, edges: [edge('a', 'b', { sourceHandle: 'odd', targetHandle: 'name' })] },
      /^nodes\.b .*cannot carry a value/,
    ],
    [
      'an id cannot be referred to',
      { nodes: [node('a.b'), node('c')], edges: [edge('a.b', 'c', wholeOutput)] },
      /^nodes\.c .*cannot carry a value/,
    ],
    ['there is no step', { nodes: [sticky('s')], edges: [] }, /^nodes contain no step/],
    [
      'there are 65 steps',
      { nodes: many(65), edges: [] },
      /^nodes contain 65 steps, but at most 64/,
    ],
    [
      'there are 201 nodes',
      { nodes: many(201, sticky), edges: [] },
      /^nodes exceed the limit: 201/,
    ],
    [
      'there are 401 edges',
      { nodes: two, edges: Array.from({ length: 401 }, () => edge('a', 'b')) },
      /^edges exceed the limit: 401/,
    ],
    ['it has more than 1 MiB', one({ name: 'ü'.repeat(600_000) }), /^graph is larger than 1 MiB/],
  ];

  it.each(cases)('%s [LIMIT-08]', (_, graph, message) => {
    expect(problems(graph)[0]).toMatch(message);
  });

  it('64 steps and 136 notes are allowed [LIMIT-07]', () => {
    const nodes = [...many(64), ...Array.from({ length: 136 }, (_, index) => sticky(`s${index}`))];
    expect(planOf({ nodes, edges: [] }).plan.steps).toHaveLength(64);
  });
});

/** Returns random numbers that are the same in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

function shuffled<T>(list: readonly T[], random: (below: number) => number): T[] {
  const remaining = [...list];
  return list.map(() => remaining.splice(random(remaining.length), 1)[0] as T);
}

/** Creates an acyclic graph with values of every kind. */
function randomGraph(random: (below: number) => number): WorkflowGraph {
  const ids = Array.from({ length: 1 + random(20) }, (_, index) => `n${index}-${random(1_000)}`);
  const edges: Values[] = [];
  const nodes = ids.map((id, index): Values => {
    const inputs: Values = { name: `text ${random(9)}` };
    const source = index > 0 && random(3) > 0 ? ids[random(index)] : undefined;
    if (source !== undefined) {
      const targetHandle = [null, 'data', 'list'][random(3)];
      edges.push({ ...edge(source, id, { targetHandle }), id: `e${id}` });
      if (random(2) === 0) inputs['name'] = `from {{node.${source}.result.x}}`;
    }
    const other = ids[random(index + 1)];
    if (random(4) === 0 && other !== id && other !== undefined) edges.push(edge(other, id));
    if (random(3) === 0) inputs['count'] = random(100);
    if (random(3) === 0) inputs['tags'] = ['a', 'b'];
    const more = random(4) === 0 ? { title: `Title ${index}`, onFailure: 'continue' } : {};
    return { ...node(id, inputs, more), position: { x: random(3), y: random(3) } };
  });
  if (random(2) === 0) nodes.push({ id: 'note', type: 'sticky', data: {} });
  return { nodes, edges };
}

describe('three hundred random graphs', () => {
  const seeds = Array.from({ length: 300 }, (_, seed) => seed + 1);

  it('produce the same plan whatever the order of their nodes and edges', () => {
    for (const seed of seeds) {
      const random = seeded(seed);
      const { nodes, edges } = randomGraph(random);
      const other = { nodes: shuffled(nodes, random), edges: shuffled(edges, random) };
      expect(planOf(other), `seed ${seed}`).toEqual(planOf({ nodes, edges }));
    }
  });

  it('place every step after its dependencies', () => {
    for (const seed of seeds) {
      const graph = randomGraph(seeded(seed));
      const { steps } = planOf(graph).plan;
      steps.forEach(({ dependsOn }, index) => {
        expect(dependsOn.every((source) => source < index)).toBe(true);
      });
      const pairs = new Set(
        steps.flatMap(({ id, dependsOn }) => dependsOn.map((one) => `${steps[one]?.id} ${id}`)),
      );
      for (const { source, target } of graph.edges)
        expect(pairs.has(`${String(source)} ${String(target)}`), `seed ${seed}`).toBe(true);
    }
  });

  it('can be restored from their plans', () => {
    for (const seed of seeds) {
      const done = planOf(randomGraph(seeded(seed)));
      const again = graphOf(done.plan, done.layout, types);
      expect(planOf(again), `seed ${seed}`).toEqual(done);
    }
  });

  it('are refused for a cycle if reversed edges are added', () => {
    let circles = 0;
    for (const seed of seeds) {
      const { nodes, edges } = randomGraph(seeded(seed));
      const turned = edges.map((one) => ({ source: one['target'], target: one['source'] }));
      const found = problems({ nodes, edges: [...edges, ...turned] });
      if (edges.length === 0) continue;
      circles += found.filter((problem) => problem.includes('is part of a cycle')).length;
      expect(
        found.some((problem) => problem.includes('cycle')),
        `seed ${seed}`,
      ).toBe(true);
    }
    expect(circles).toBeGreaterThan(200);
  });
});

describe('a plan without a graph', () => {
  it('becomes one with a node for each tool, which compiles to the same plan', () => {
    const steps = [
      { title: '', tool: 'fill_form', arguments: { name: 'x' }, dependsOn: [] },
      { title: 'T', tool: 'other', arguments: { a: '{{steps.0.result.b}}' }, dependsOn: [0] },
      { title: 'U', tool: 'json_format', arguments: { json: [1] }, dependsOn: [0, 1] },
    ];
    const graph = graphOf({ steps }, {}, types);
    expect(graph.nodes.map(({ data }) => (data as Values)['nodeType'])).toEqual([
      ...['tool:fill_form', 'tool:other', 'tool:json_format'],
    ]);
    expect(planOf(graph).plan.steps).toEqual(
      steps.map((step, index) => ({
        ...step,
        id: `step-${index}`,
        title: step.title || step.tool,
      })),
    );
  });

  it('is shown unchanged even if it is invalid', () => {
    const step = { title: '', tool: 'x', arguments: { a: '{{steps.x}}' }, dependsOn: [0, 7] };
    const graph = graphOf({ steps: [step] }, {}, types);
    expect(problems(graph).length).toBeGreaterThan(0);
  });
});

describe('hostile graphs', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf'];

  it('with names of built-in object properties are read like any other', () => {
    const nodes = names.map((id) => node(id, { data: { x: 1 } }));
    const edges = names.slice(1).map((id, index) => edge(names[index] ?? '', id));
    const done = planOf({ nodes, edges });
    expect(done.plan.steps.map(({ id }) => id)).toEqual(names);
    expect(planOf(graphOf(done.plan, done.layout, types))).toEqual(done);
    for (const name of names) {
      expect(problems({ nodes: [node('a', {}, {}, name)], edges: [] })[0]).toMatch(/unknown type/);
      const inputs = JSON.parse(`{"${name}": 1}`) as Values;
      const raw = { id: 'a', data: { nodeType: 'form', inputs } };
      expect(problems({ nodes: [raw], edges: [] }).length).toBeGreaterThan(0);
      const open = { id: 'a', data: { nodeType: 'tool:x', inputs: { a: inputs } } };
      expect(() => compile({ nodes: [open], edges: [] })).not.toThrow();
    }
    expect(({} as Values)['x']).toBeUndefined();
  });

  it('with deeply nested values are refused with that reason', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200; level += 1) deep = [deep];
    expect(problems({ nodes: [node('a', { data: deep })], edges: [] })[0]).toMatch(
      /nested too deeply/,
    );
  });

  it('of the maximum size compile quickly', () => {
    const nodes = Array.from({ length: 64 }, (_, index) => node(`n${index}`, { name: `${index}` }));
    const pairs = nodes.flatMap((a, i) => nodes.slice(i + 1).map((b) => edge(a.id, b.id)));
    const started = performance.now();
    expect(planOf({ nodes, edges: pairs.slice(0, 400) }).plan.steps).toHaveLength(64);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
