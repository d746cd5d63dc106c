import type { Graph } from './graph.ts';
import { isNote, isNodeHandle, stepData } from './graph.ts';
import type { Wire } from './graph-edits.ts';
import type { NodeKinds } from './node-kinds.ts';
import { kindOf, outputOf } from './node-kinds.ts';
import { wireFits } from './conversions.ts';

/** The reason why two nodes cannot be connected. */
export type Refusal =
  'note' | 'self' | 'circle' | 'same' | 'sources' | 'branch' | 'conditions' | 'types';

/** Returns null if the connection is possible; else why the compiler would refuse it. */
export function refusalOf(graph: Graph, kinds: NodeKinds, wire: Wire): Refusal | null {
  const { source, target } = wire;
  const ends = [source, target].map((id) => graph.nodes.find((node) => node.id === id));
  if (ends.some((node) => node === undefined || isNote(node))) return 'note';
  if (source === target) return 'self';
  if (graph.edges.some((edge) => isSame(edge, wire))) return 'same';
  if (comesBefore(graph, target).has(source)) return 'circle';
  return valueRefusal(graph, kinds, wire);
}

function valueRefusal(graph: Graph, kinds: NodeKinds, wire: Wire): Refusal | null {
  const { target, targetHandle } = wire;
  if (isBranch(graph, kinds, wire)) {
    if (!isNodeHandle(targetHandle)) return 'branch';
    return hasCondition(graph, kinds, target) ? 'conditions' : null;
  }
  if (isNodeHandle(targetHandle)) return null;
  const isTaken = graph.edges.some(
    (edge) => edge.target === target && edge.targetHandle === targetHandle,
  );
  if (isTaken) return 'sources';
  return wireFits(graph, kinds, wire) ? null : 'types';
}

function hasCondition(graph: Graph, kinds: NodeKinds, id: string): boolean {
  const node = graph.nodes.find((one) => one.id === id);
  if (node && stepData(node).when !== undefined) return true;
  return graph.edges.some((edge) => edge.target === id && isBranch(graph, kinds, edge));
}

/** Returns true if the connection leaves at an output that is taken only for one value. */
function isBranch(graph: Graph, kinds: NodeKinds, { source, sourceHandle }: Wire): boolean {
  const node = graph.nodes.find(({ id }) => id === source);
  const kind = node && kindOf(kinds, stepData(node).nodeType);
  return outputOf(kind, sourceHandle)?.branch !== undefined;
}

const end = (handle: string | null | undefined): string =>
  isNodeHandle(handle) ? '' : (handle ?? '');

const isSame = (one: Wire, other: Wire): boolean =>
  one.source === other.source &&
  one.target === other.target &&
  end(one.sourceHandle) === end(other.sourceHandle) &&
  end(one.targetHandle) === end(other.targetHandle);

/** Returns all nodes that depend on this one, directly or indirectly. */
function comesBefore(graph: Graph, id: string): Set<string> {
  return reached(id, (at) =>
    graph.edges.flatMap(({ source, target }) => (source === at ? target : [])),
  );
}

/** Returns all nodes that run before this one. */
export function doneBefore(graph: Graph, id: string): Set<string> {
  return reached(id, (at) =>
    graph.edges.flatMap(({ source, target }) => (target === at ? source : [])),
  );
}

function reached(from: string, nextOf: (id: string) => string[]): Set<string> {
  const found = new Set<string>();
  const pending = [from];
  for (let id = pending.pop(); id !== undefined; id = pending.pop())
    for (const next of nextOf(id)) {
      if (found.has(next)) continue;
      found.add(next);
      pending.push(next);
    }
  return found;
}
