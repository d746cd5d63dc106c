import { isObject } from '../../core/json.ts';
import type { WorkflowGraph, PlanStep } from '../../../service/contract/index.ts';

/** Position on the canvas, in pixels. */
export interface Position {
  x: number;
  y: number;
}

/** The data of a node that becomes a step. Unknown fields are preserved. */
export interface StepData {
  nodeType: string;
  inputs: Record<string, unknown>;
  title?: string;
  when?: PlanStep['when'];
  onFailure?: PlanStep['onFailure'];
  forEach?: unknown;
  [more: string]: unknown;
}

/** A node of a graph. Unknown fields are preserved. */
export interface GraphNode {
  id: string;
  type?: string;
  position: Position;
  data: Record<string, unknown>;
  [more: string]: unknown;
}

/**
 * A connection between two nodes; a handle names an output or input, null means the node itself.
 */
export interface GraphEdge {
  id: string;
  source: string;
  target: string;
  sourceHandle?: string | null;
  targetHandle?: string | null;
  [more: string]: unknown;
}

/** The visible part of the canvas. */
export interface Viewport extends Position {
  zoom: number;
}

/** A graph as it is drawn: nodes and edges with ids and ends, without invalid entries. */
export interface Graph {
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  viewport?: Viewport;
  [more: string]: unknown;
}

export const emptyGraph: Graph = { nodes: [], edges: [] };
/** The type of a note on the canvas. */
export const noteType = 'sticky';
/** The handles that mean the node itself and only define an order. */
const nodeHandles = new Set(['', 'in', 'out', 'source', 'target']);

export const isNote = ({ type }: GraphNode): boolean => type === noteType;
export const isNodeHandle = (handle: string | null | undefined): boolean =>
  nodeHandles.has(handle ?? '');

/**
 * Returns the drawable part of a stored graph. A graph may be imported, so entries without an id or
 * ends are skipped.
 */
export function readGraph(stored: WorkflowGraph | undefined): Graph {
  if (!stored) return emptyGraph;
  const { nodes: storedNodes, edges: storedEdges, viewport, ...more } = stored;
  const nodeIds = new Set<string>();
  const nodes = storedNodes.flatMap((node): GraphNode[] => {
    const { id } = node;
    if (typeof id !== 'string' || id === '' || nodeIds.has(id)) return [];
    nodeIds.add(id);
    const data = isObject(node['data']) ? node['data'] : {};
    return [{ ...node, id, position: positionOf(node['position']), data }];
  });
  const edges = storedEdges.flatMap((edge, index): GraphEdge[] => {
    const { id, source, target } = edge;
    if (typeof source !== 'string' || typeof target !== 'string') return [];
    if (!nodeIds.has(source) || !nodeIds.has(target)) return [];
    return [{ ...edge, id: typeof id === 'string' ? id : `edge-${index}`, source, target }];
  });
  return { ...more, nodes, edges, ...(isViewport(viewport) && { viewport }) };
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

function positionOf(value: unknown): Position {
  const { x, y } = isObject(value) ? value : {};
  return { x: isNumber(x) ? x : 0, y: isNumber(y) ? y : 0 };
}

const isViewport = (value: unknown): value is Viewport =>
  isObject(value) && isNumber(value['x']) && isNumber(value['y']) && isNumber(value['zoom']);

/** Returns the graph in its stored form. */
export const storedGraph = (graph: Graph): WorkflowGraph => ({
  ...graph,
  nodes: [...graph.nodes],
  edges: [...graph.edges],
});

export function stepData({ data }: GraphNode): StepData {
  const { nodeType, inputs } = data;
  return {
    ...data,
    nodeType: typeof nodeType === 'string' ? nodeType : '',
    inputs: isObject(inputs) ? inputs : {},
  };
}

/** Returns an unused id that is short and valid in references. */
export function freeId(taken: ReadonlySet<string>, nodeType: string): string {
  const stem =
    nodeType
      .replace(/^.*:/, '')
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .slice(0, 40) || 'step';
  if (!taken.has(stem)) return stem;
  for (let number = 2; ; number += 1)
    if (!taken.has(`${stem}_${number}`)) return `${stem}_${number}`;
}

export const idsOf = ({ nodes }: Graph): Set<string> => new Set(nodes.map(({ id }) => id));
