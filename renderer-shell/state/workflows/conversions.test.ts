import { describe, expect, it } from 'vitest';
import type { ValueType, WorkflowNode } from '../../../service/contract/index.ts';
import { refusalOf } from './connecting.ts';
import { conversionsFor, wireInto, withConversion } from './conversions.ts';
import type { Graph, GraphNode } from './graph.ts';
import { stepData } from './graph.ts';

const kind = (
  type: string,
  takes: ValueType[],
  gives: Record<string, ValueType[]>,
): WorkflowNode => ({
  type,
  tool: type,
  label: type,
  pluginId: null,
  inputs: [{ name: 'value', label: 'In', widget: 'json', types: takes }],
  outputs: Object.entries(gives).map(([name, types]) => ({ name, label: name, path: name, types })),
  resultTypes: ['object'],
});
const kinds = new Map(
  [
    kind('count', ['number'], { total: ['integer'], name: ['string'] }),
    kind('say', ['string'], { text: ['string'] }),
  ].map((one) => [one.type, one]),
);
const node = (id: string, nodeType: string, inputs = {}, more = {}): GraphNode => ({
  id,
  position: { x: 0, y: 0 },
  data: { nodeType, inputs, ...more },
});
const graph: Graph = { nodes: [node('c', 'count'), node('s', 'say')], edges: [] };
const wire = (sourceHandle: string | null, source = 'c', target = 's') => ({
  source,
  sourceHandle,
  target,
  targetHandle: 'value',
});

describe('a connection', () => {
  it('is refused if its value cannot fit, and allowed if it may fit', () => {
    expect(refusalOf(graph, kinds, wire('total'))).toBe('types');
    expect(refusalOf(graph, kinds, wire(null))).toBe('types');
    expect(refusalOf(graph, kinds, wire('name'))).toBeNull();
    const list = { ...graph, nodes: [node('c', 'count', {}, { forEach: [1] }), node('s', 'say')] };
    expect(refusalOf(list, kinds, wire(null))).toBe('types');
    expect(conversionsFor(list, kinds, wire(null))).toEqual([{ how: 'text' }]);
  });

  it('offers fields that fit, then the text of the value', () => {
    expect(conversionsFor(graph, kinds, wire('name'))).toEqual([]);
    expect(conversionsFor(graph, kinds, wire(null))).toEqual([
      { how: 'field', output: 'name', label: 'name' },
      { how: 'text' },
    ]);
    expect(conversionsFor(graph, kinds, wire('text', 's', 'c'))).toEqual([{ how: 'parse' }]);
  });

  it('starts at the field, or passes through a converting step', () => {
    const byField = withConversion(graph, kinds, {
      wire: wire(null),
      conversion: { how: 'field', output: 'name', label: 'name' },
    });
    expect(byField.edges).toMatchObject([wire('name')]);
    const byText = withConversion(graph, kinds, {
      wire: wire('total'),
      conversion: { how: 'text' },
    });
    const made = byText.nodes.find(({ id }) => id !== 'c' && id !== 's');
    expect(made && stepData(made)).toMatchObject({
      nodeType: 'text_template',
      inputs: {
        template: '{{value}}',
        values: [{ name: 'value', value: '{{node.c.result.total}}' }],
      },
    });
    expect(byText.edges).toMatchObject([
      { source: 'c', target: made?.id },
      { source: made?.id, sourceHandle: 'text', target: 's', targetHandle: 'value' },
    ]);
  });

  it('can be a reference that is an entire value, and is replaced by its conversion', () => {
    const reference = node('s', 'say', { value: '{{node.c.result.total}}' });
    const filled = { ...graph, nodes: [node('c', 'count'), reference] };
    const found = wireInto(filled, kinds, reference, 'value');
    expect(found).toEqual(wire('total'));
    const next = withConversion(filled, kinds, {
      wire: wire('total'),
      conversion: { how: 'text' },
    });
    expect(next.nodes.find(({ id }) => id === 's')?.data['inputs']).toEqual({});
    const inText = node('s', 'say', { value: 'about {{node.c.result.total}}' });
    expect(wireInto(filled, kinds, inText, 'value')).toBeNull();
  });
});
