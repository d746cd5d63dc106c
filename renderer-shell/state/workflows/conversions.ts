import { typesFit, type ValueType } from '../../../service/contract/index.ts';
import type { Graph, GraphNode } from './graph.ts';
import { stepData } from './graph.ts';
import type { Wire } from './graph-edits.ts';
import { withEdge, without, withInput, withStep } from './graph-edits.ts';
import type { NodeKinds } from './node-kinds.ts';
import { kindOf, outputOf } from './node-kinds.ts';
import { referenceTo } from './reference-to.ts';

/**
 * A conversion that makes a value fit an input: one of its fields, its text, or its text parsed as
 * JSON.
 */
export type Conversion =
  { how: 'field'; output: string; label: string } | { how: 'text' } | { how: 'parse' };

type Types = readonly ValueType[] | undefined;

/** Returns true if the value of a connection can fit the input. */
export function wireFits(graph: Graph, kinds: NodeKinds, wire: Wire): boolean {
  return typesFit(sourceTypes(graph, kinds, wire), targetTypes(graph, kinds, wire));
}

/** Returns the conversions for a connection whose value does not fit; fields first. */
export function conversionsFor(graph: Graph, kinds: NodeKinds, wire: Wire): Conversion[] {
  if (wireFits(graph, kinds, wire)) return [];
  const taken = targetTypes(graph, kinds, wire);
  const source = nodeOf(graph, wire.source);
  const outputs = (source && kindOf(kinds, stepData(source).nodeType)?.outputs) ?? [];
  const isList = source !== undefined && stepData(source).forEach !== undefined;
  const fields = outputs.filter(
    ({ types, branch, path }) =>
      !isList && branch === undefined && path !== undefined && types && typesFit(types, taken),
  );
  const found: Conversion[] = fields
    .slice(0, maxFields)
    .map(({ name, label }) => ({ how: 'field', output: name, label }));
  if (typesFit(['string'], taken)) found.push({ how: 'text' });
  else if (typesFit(sourceTypes(graph, kinds, wire), ['string'])) found.push({ how: 'parse' });
  return found;
}

const maxFields = 3;

/** Returns the graph with the connection and a node that converts its value. */
export function withConversion(
  graph: Graph,
  kinds: NodeKinds,
  { wire, conversion }: { wire: Wire; conversion: Conversion },
): Graph {
  const { source, target, sourceHandle, targetHandle } = wire;
  const from = nodeOf(graph, source);
  const to = nodeOf(graph, target);
  if (!from || !to || typeof targetHandle !== 'string') return graph;
  const free = withInput(unwired(graph, target, targetHandle), target, targetHandle, undefined);
  if (conversion.how === 'field')
    return withEdge(free, { ...wire, sourceHandle: conversion.output });
  const path = outputOf(kindOf(kinds, stepData(from).nodeType), sourceHandle)?.path ?? '';
  const value = referenceTo(source, path);
  const inputs =
    conversion.how === 'text'
      ? { template: '{{value}}', values: [{ name: 'value', value }] }
      : { json: value, operation: 'parse' };
  const position = {
    x: (from.position.x + to.position.x) / 2,
    y: (from.position.y + to.position.y) / 2 + converterDrop,
  };
  const nodeType = conversion.how === 'text' ? 'text_template' : 'json_format';
  const { graph: next, id } = withStep(free, { nodeType, position, inputs });
  const sourceOutput = conversion.how === 'text' ? 'text' : 'value';
  return withEdge(withEdge(next, { source, target: id }), {
    source: id,
    sourceHandle: sourceOutput,
    target,
    targetHandle,
  });
}

/** Pixels below the line between both steps, so that the new node covers neither. */
const converterDrop = 90;

const nodeOf = (graph: Graph, id: string): GraphNode | undefined =>
  graph.nodes.find((node) => node.id === id);

function unwired(graph: Graph, target: string, input: string): Graph {
  const edges = graph.edges.filter((edge) => edge.target === target && edge.targetHandle === input);
  return without(graph, new Set(edges.map(({ id }) => id)));
}

function sourceTypes(graph: Graph, kinds: NodeKinds, { source, sourceHandle }: Wire): Types {
  const node = nodeOf(graph, source);
  if (node === undefined) return undefined;
  const { nodeType, forEach } = stepData(node);
  const kind = kindOf(kinds, nodeType);
  const output = outputOf(kind, sourceHandle);
  if (forEach !== undefined) return output?.path === undefined ? ['array'] : undefined;
  return output === undefined || output.path === undefined ? kind?.resultTypes : output.types;
}

function targetTypes(graph: Graph, kinds: NodeKinds, { target, targetHandle }: Wire): Types {
  const node = nodeOf(graph, target);
  const inputs = node && kindOf(kinds, stepData(node).nodeType)?.inputs;
  return inputs?.find(({ name }) => name === targetHandle)?.types;
}

/** Returns the connection of an input: an edge, or a reference that is its entire value. */
export function wireInto(
  graph: Graph,
  kinds: NodeKinds,
  node: GraphNode,
  name: string,
): Wire | null {
  const edge = graph.edges.find((one) => one.target === node.id && one.targetHandle === name);
  if (edge) return edge;
  const value = stepData(node).inputs[name];
  const [, source, path = ''] =
    (typeof value === 'string' &&
      /^\{\{node\.([^.[\]{}\s]+)\.result\.?([^{}]*)\}\}$/.exec(value)) ||
    [];
  if (source === undefined) return null;
  const from = nodeOf(graph, source);
  const kind = from && kindOf(kinds, stepData(from).nodeType);
  const output = kind?.outputs.find((one) => one.path === path);
  if (path !== '' && output === undefined) return null;
  return { source, sourceHandle: output?.name ?? null, target: node.id, targetHandle: name };
}
