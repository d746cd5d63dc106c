import { isObject } from '../../core/json.ts';
import type { WorkflowGraph, PlanStep } from '../../../service/contract/index.ts';

export interface Position {
  x: number;
  y: number;
}

/** What a node that becomes a step holds. Whatever else stands in it stays there. */
export interface StepData {
  nodeType: string;
  inputs: Record<string, unknown>;
  title?: string;
  when?: PlanStep['when'];
  onFailure?: PlanStep['onFailure'];
  forEach?: unknown;
  [more: string]: unknown;
}

export interface GraphNode {
  id: string;
  type?: string;
  position: Position;
  data: Record<string, unknown>;
  [more: string]: unknown;
}

export interface GraphEdge {
  id: string;
  source: string;
  target: string;
  sourceHandle?: string | null;
  targetHandle?: string | null;
  [more: string]: unknown;
}

export interface Viewport extends Position {
  zoom: number;
}

/** A graph as it is drawn: nodes and edges with ids and ends, and nothing that cannot be shown. */
export interface Graph {
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  viewport?: Viewport;
  [more: string]: unknown;
}

export const emptyGraph: Graph = { nodes: [], edges: [] };
/** The type of a note on the canvas. */
export const noteType = 'sticky';
/** The handles that mean a node itself, and nothing but an order. */
const nodeHandles = new Set(['', 'in', 'out', 'source', 'target']);

export const isNote = ({ type }: GraphNode): boolean => type === noteType;
export const isNodeHandle = (handle: string | null | undefined): boolean =>
  nodeHandles.has(handle ?? '');

/** What a stored graph draws. A graph may come from elsewhere, so what has no id or end is left out. */
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

/** The graph as it is stored. */
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

/** An id that no node has: short, and usable in references. */
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
