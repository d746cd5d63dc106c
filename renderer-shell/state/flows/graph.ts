import { isObject } from '../../core/json.ts';
import type { FlowGraph, PlanStep } from '../../../service/contract/index.ts';

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
const meansNode = new Set(['', 'in', 'out', 'source', 'target']);

export const isNote = ({ type }: GraphNode): boolean => type === noteType;
export const isPlain = (handle: string | null | undefined): boolean => meansNode.has(handle ?? '');

/** What a stored graph draws. A graph may come from elsewhere, so what has no id or end is left out. */
export function readGraph(stored: FlowGraph | undefined): Graph {
  if (!stored) return emptyGraph;
  const { nodes: givenNodes, edges: givenEdges, viewport, ...more } = stored;
  const known = new Set<string>();
  const nodes = givenNodes.flatMap((given): GraphNode[] => {
    const { id } = given;
    if (typeof id !== 'string' || id === '' || known.has(id)) return [];
    known.add(id);
    const data = isObject(given['data']) ? given['data'] : {};
    return [{ ...given, id, position: positionOf(given['position']), data }];
  });
  const edges = givenEdges.flatMap((given, index): GraphEdge[] => {
    const { id, source, target } = given;
    if (typeof source !== 'string' || typeof target !== 'string') return [];
    if (!known.has(source) || !known.has(target)) return [];
    return [{ ...given, id: typeof id === 'string' ? id : `edge-${index}`, source, target }];
  });
  return { ...more, nodes, edges, ...(isViewport(viewport) && { viewport }) };
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

function positionOf(given: unknown): Position {
  const { x, y } = isObject(given) ? given : {};
  return { x: isNumber(x) ? x : 0, y: isNumber(y) ? y : 0 };
}

const isViewport = (given: unknown): given is Viewport =>
  isObject(given) && isNumber(given['x']) && isNumber(given['y']) && isNumber(given['zoom']);

/** The graph as it is stored. */
export const storedGraph = (graph: Graph): FlowGraph => ({
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
