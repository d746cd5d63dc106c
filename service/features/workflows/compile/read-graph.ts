import { z } from 'zod';
import {
  type WorkflowGraph,
  maxGraphBytes,
  maxGraphEdges,
  maxGraphNodes,
  PlanStep,
} from '../../../contract/index.ts';
import type { FieldError } from '../../../core/host-error.ts';
import { issueMessages, msg } from '../../../messages/index.ts';

/** Node type that is not part of a plan: a note on the canvas. */
const stickyType = 'sticky';
const idLength = 200;

const step = PlanStep.shape;
const NodeData = z.object({
  nodeType: z.string('field.nodeTypeNeeded').min(1).max(300),
  inputs: z.record(z.string(), z.unknown()).default({}),
  title: z.string().max(500).nullish(),
  when: step.when,
  forEach: step.forEach,
  onFailure: step.onFailure,
  retry: step.retry,
  timeoutSeconds: step.timeoutSeconds,
  effect: step.effect,
});
export type NodeData = z.output<typeof NodeData>;

const Point = z.object({ x: z.number(), y: z.number() });
const Id = z.string().min(1).max(idLength);
const Handle = z.string().max(300).nullish();
const Edge = z.object({
  id: z.string().max(1_000).nullish(),
  source: Id,
  target: Id,
  sourceHandle: Handle,
  targetHandle: Handle,
});

/** Returns the fields that a node and its step share. */
export const extrasOf = (of: Extras): Extras => ({
  ...(of.effect && { effect: of.effect }),
  ...(of.retry && { retry: of.retry }),
  ...(of.onFailure && { onFailure: of.onFailure }),
  ...(of.timeoutSeconds !== undefined && { timeoutSeconds: of.timeoutSeconds }),
});
type Extras = Pick<PlanStep, 'effect' | 'retry' | 'onFailure' | 'timeoutSeconds'>;

/** A node that becomes a step. */
export interface GraphNode {
  id: string;
  x: number;
  y: number;
  data: NodeData;
}

/** An edge between two nodes; the handles name an output and an input. */
export interface GraphEdge {
  /** The name of the edge in problems. */
  name: string;
  source: string;
  target: string;
  sourceHandle: string | null;
  targetHandle: string | null;
}

/** The checked nodes and edges of a workflow graph. */
export interface ReadGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export const atNode = (id: string, field = ''): string =>
  `nodes.${id}${field === '' ? '' : `.${field}`}`;

/**
 * Returns the parts of a graph that matter, or the problems of its shape, its size or its edges.
 */
export function readGraph(graph: WorkflowGraph): ReadGraph | { problems: FieldError[] } {
  const oversize = graphSizeProblems(graph);
  if (oversize.length > 0) return { problems: oversize };
  const problems: FieldError[] = [];
  const notes = new Set<string>();
  const nodes = new Map<string, GraphNode>();
  graph.nodes.forEach((rawNode, index) => {
    const id = Id.safeParse(rawNode['id']).data;
    if (id === undefined) {
      problems.push({
        path: `nodes.${index}.id`,
        message: msg('graph.idInvalid', { limit: idLength }),
      });
    } else if (nodes.has(id) || notes.has(id)) {
      problems.push({ path: atNode(id), message: msg('graph.duplicateNodeId') });
    } else if (rawNode['type'] === stickyType) notes.add(id);
    else readNode(id, rawNode, problems, (node) => nodes.set(id, node));
  });
  const edges = readEdges(graph, problems);
  const loose = problems.length > 0 ? [] : edges.flatMap((edge) => looseEnd(edge, nodes, notes));
  if (problems.length + loose.length > 0) return { problems: [...problems, ...loose] };
  return { nodes: [...nodes.values()], edges };
}

export function graphSizeProblems({ nodes, edges, ...rest }: WorkflowGraph): FieldError[] {
  if (nodes.length > maxGraphNodes)
    return [
      {
        path: 'nodes',
        message: msg('graph.tooManyNodes', { count: nodes.length, limit: maxGraphNodes }),
      },
    ];
  if (edges.length > maxGraphEdges)
    return [
      {
        path: 'edges',
        message: msg('graph.tooManyEdges', { count: edges.length, limit: maxGraphEdges }),
      },
    ];
  if (Buffer.byteLength(JSON.stringify({ nodes, edges, ...rest })) <= maxGraphBytes) return [];
  return [{ path: 'graph', message: msg('graph.tooLarge') }];
}

function readNode(
  id: string,
  rawNode: Record<string, unknown>,
  problems: FieldError[],
  take: (node: GraphNode) => void,
): void {
  const rawData = rawNode['data'] ?? {};
  const data = NodeData.safeParse(rawData);
  const position = Point.safeParse(rawNode['position'] ?? { x: 0, y: 0 });
  if (data.success && position.success) take({ id, ...position.data, data: data.data });
  for (const { path, message } of issueMessages(data.error?.issues ?? [], rawData))
    problems.push({ path: atNode(id, path), message });
  if (!position.success)
    problems.push({ path: atNode(id, 'position'), message: msg('graph.positionInvalid') });
}

function readEdges(graph: WorkflowGraph, problems: FieldError[]): GraphEdge[] {
  const seen = new Set<string>();
  return graph.edges.flatMap((rawEdge, index) => {
    const read = Edge.safeParse(rawEdge);
    if (!read.success) {
      const [issue] = issueMessages(read.error.issues, rawEdge);
      const path = issue === undefined || issue.path === '' ? '' : `.${issue.path}`;
      const message = issue?.message ?? msg('graph.edgeInvalid');
      problems.push({ path: `edges.${index}${path}`, message });
      return [];
    }
    const { id, source, target, sourceHandle, targetHandle } = read.data;
    if (typeof id === 'string') {
      if (seen.has(id))
        problems.push({ path: `edges.${id}`, message: msg('graph.duplicateEdgeId') });
      seen.add(id);
    }
    const name = id ?? `${source} -> ${target}`;
    const handles = { sourceHandle: sourceHandle ?? null, targetHandle: targetHandle ?? null };
    return [{ name, source, target, ...handles }];
  });
}

/** Reports an edge that leads to no step. */
function looseEnd(
  { name, source, target }: GraphEdge,
  nodes: ReadonlyMap<string, GraphNode>,
  notes: ReadonlySet<string>,
): FieldError[] {
  const missing = [source, target].find((id) => !nodes.has(id));
  if (missing === undefined) return [];
  const other = missing === source ? target : source;
  const path = nodes.has(other) ? atNode(other) : `edges.${name}`;
  const message = notes.has(missing)
    ? msg('graph.edgeToNote', { edge: name, node: missing })
    : msg('graph.edgeToNothing', { edge: name, node: missing });
  return [{ path, message }];
}
