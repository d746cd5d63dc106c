import type { GraphEdge, GraphNode, Graph, Position, StepData } from './graph.ts';
import { freeId, idsOf, noteType, stepData } from './graph.ts';

/** A connection that a person draws. */
export interface Wire {
  source: string;
  target: string;
  sourceHandle?: string | null;
  targetHandle?: string | null;
}

/** A step to add to a graph. */
export interface NewStep {
  nodeType: string;
  position: Position;
  /** Initial input values. */
  inputs?: Record<string, unknown>;
}

/** Returns the graph with one more step, and the id of the step. */
export function withStep(graph: Graph, step: NewStep): { graph: Graph; id: string } {
  const { nodeType, position, inputs = {} } = step;
  const id = freeId(idsOf(graph), nodeType);
  const node: GraphNode = { id, position: rounded(position), data: { nodeType, inputs } };
  return { graph: { ...graph, nodes: [...graph.nodes, node] }, id };
}

const noteSize = { width: 220, height: 120 };

export function withNote(
  graph: Graph,
  position: Position,
  text = '',
): { graph: Graph; id: string } {
  const id = freeId(idsOf(graph), 'note');
  const node = { id, type: noteType, position: rounded(position), ...noteSize, data: { text } };
  return { graph: { ...graph, nodes: [...graph.nodes, node] }, id };
}

const rounded = ({ x, y }: Position): Position => ({ x: Math.round(x), y: Math.round(y) });

/** Returns the graph without these nodes and edges, and without the edges of these nodes. */
export function without(graph: Graph, ids: ReadonlySet<string>): Graph {
  const nodes = graph.nodes.filter(({ id }) => !ids.has(id));
  const edges = graph.edges.filter(
    ({ id, source, target }) => !ids.has(id) && !ids.has(source) && !ids.has(target),
  );
  const isSame = nodes.length === graph.nodes.length && edges.length === graph.edges.length;
  return isSame ? graph : { ...graph, nodes, edges };
}

export function withEdge(graph: Graph, wire: Wire): Graph {
  const { source, target, sourceHandle = null, targetHandle = null } = wire;
  const taken = new Set(graph.edges.map(({ id }) => id));
  const id = freeId(taken, `${source}-${target}`);
  const edge: GraphEdge = { id, source, sourceHandle, target, targetHandle };
  return { ...graph, edges: [...graph.edges, edge] };
}

export function moved(graph: Graph, positions: ReadonlyMap<string, Position>): Graph {
  const changes = graph.nodes.some(({ id, position: { x, y } }) => {
    const next = positions.get(id);
    return next !== undefined && (Math.round(next.x) !== x || Math.round(next.y) !== y);
  });
  if (!changes) return graph;
  const nodes = graph.nodes.map((node) => {
    const position = positions.get(node.id);
    return position ? { ...node, position: rounded(position) } : node;
  });
  return { ...graph, nodes };
}

export function changed(graph: Graph, id: string, change: (node: GraphNode) => GraphNode): Graph {
  return { ...graph, nodes: graph.nodes.map((node) => (node.id === id ? change(node) : node)) };
}

/** Returns the graph with changed data of a node; `undefined` removes a field. */
export const withData = (graph: Graph, id: string, change: Partial<StepData>): Graph =>
  changed(graph, id, (node) => ({ ...node, data: withoutUndefined({ ...node.data, ...change }) }));

export const withInput = (graph: Graph, id: string, name: string, value: unknown): Graph =>
  changed(graph, id, (node) => {
    const inputs = withoutUndefined({ ...stepData(node).inputs, [name]: value });
    return { ...node, data: { ...node.data, inputs } };
  });

const withoutUndefined = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** Returns some nodes and the edges between them. */
export function copyOf(graph: Graph, ids: ReadonlySet<string>): Graph {
  return {
    nodes: graph.nodes.filter(({ id }) => ids.has(id)),
    edges: graph.edges.filter(({ source, target }) => ids.has(source) && ids.has(target)),
  };
}

/**
 * Returns the graph with a pasted copy, placed beside the original; references among the copied
 * nodes point to the copies.
 */
export function pasted(
  graph: Graph,
  copy: Graph,
  by: Position,
): { graph: Graph; ids: Set<string> } {
  const taken = idsOf(graph);
  const names = new Map<string, string>();
  for (const { id } of copy.nodes) {
    const fresh = freeId(taken, id.replace(/_\d+$/, ''));
    taken.add(fresh);
    names.set(id, fresh);
  }
  const nodes = copy.nodes.map((node) => ({
    ...node,
    id: names.get(node.id) ?? node.id,
    position: rounded({ x: node.position.x + by.x, y: node.position.y + by.y }),
    data: renamed(node.data, names) as Record<string, unknown>,
  }));
  let next: Graph = { ...graph, nodes: [...graph.nodes, ...nodes] };
  for (const { id: _, source, target, ...edge } of copy.edges) {
    const ends = { source: names.get(source) ?? source, target: names.get(target) ?? target };
    next = withEdge(next, { ...edge, ...ends });
  }
  return { graph: next, ids: new Set(names.values()) };
}

/** Renames references to nodes. */
function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return value.replace(
      /\bnode\.([^.[\]{}\s]{1,200})\.result/g,
      (_, id: string) => `node.${names.get(id) ?? id}.result`,
    );
  if (Array.isArray(value)) return value.map((one) => renamed(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, renamed(inner, names)]),
  );
}
