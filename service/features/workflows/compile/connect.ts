import type { NodeOutput, PlanStep } from '../../../contract/index.ts';
import type { FieldError } from '../../../core/host-error.ts';
import { parseReference, ReferenceProblem } from '../../../core/references.ts';
import { type Message, msg } from '../../../messages/index.ts';
import { inputOf, type NodeType } from './node-types.ts';
import { atNode, type GraphEdge, type GraphNode } from './read-graph.ts';

/** The incoming edges of a node. */
export interface Incoming {
  /** Unique ids. */
  sources: Set<string>;
  /** References to the source nodes, by the name of the input. */
  flowing: Map<string, string>;
  when: PlanStep['when'];
}

/** A node of a graph with its resolved type. */
export interface ConnectedNode extends GraphNode {
  type: NodeType;
}

/** Handle names that canvases use for a connection that only defines an order. */
const plainHandles = new Set(['', 'in', 'out', 'source', 'target']);

/** Resolves the edges of each node, by its id. */
export function connect(
  nodes: ReadonlyMap<string, ConnectedNode>,
  edges: readonly GraphEdge[],
): { incoming: Map<string, Incoming>; problems: FieldError[] } {
  const incoming = new Map(
    [...nodes].map(([id, { data }]): [string, Incoming] => [
      id,
      { sources: new Set(), flowing: new Map(), when: data.when },
    ]),
  );
  const problems = edges.flatMap((edge) => {
    const message = join(edge, nodes, incoming);
    return message === null
      ? []
      : [{ path: atNode(edge.target, message.at), message: message.text }];
  });
  return { incoming, problems };
}

interface EdgeProblem {
  at: string;
  text: Message;
}

function join(
  edge: GraphEdge,
  nodes: ReadonlyMap<string, ConnectedNode>,
  incoming: ReadonlyMap<string, Incoming>,
): EdgeProblem | null {
  const source = nodes.get(edge.source);
  const target = nodes.get(edge.target);
  const into = incoming.get(edge.target);
  if (!source || !target || !into) return null;
  if (source === target) return { at: '', text: msg('graph.selfCycle', { node: edge.source }) };
  into.sources.add(edge.source);
  const output = outputOf(source, edge);
  if (output === undefined) return { at: '', text: noOutput(edge, source) };
  const input = inputName(target, edge);
  if (input === undefined)
    return {
      at: `inputs.${edge.targetHandle ?? ''}`,
      text: msg('graph.noInput', { node: target.type.label }),
    };
  const joint = { edge, output, into };
  if (output?.branch !== undefined) return joinBranch(joint, input);
  return input === null ? null : joinValue(joint, input);
}

/** Returns null for the complete result, undefined for an unknown output. */
function outputOf(
  { type }: ConnectedNode,
  { sourceHandle }: GraphEdge,
): NodeOutput | null | undefined {
  const handle = sourceHandle ?? '';
  const named = type.outputs.find(({ name }) => name === handle);
  if (named !== undefined || plainHandles.has(handle)) return named ?? null;
  // The result of such a tool has no schema, so the handle is the path.
  return type.open ? { name: handle, label: handle, path: handle } : undefined;
}

function noOutput({ name, sourceHandle }: GraphEdge, { id, type }: ConnectedNode): Message {
  const output = sourceHandle ?? '';
  const outputs = type.outputs.map((one) => one.name);
  return outputs.length === 0
    ? msg('graph.noOutputs', { edge: name, output, node: id })
    : msg('graph.noOutput', { edge: name, output, node: id, outputs });
}

/** Returns null for a connection that only defines an order, undefined for an unknown input. */
function inputName(
  { type }: ConnectedNode,
  { targetHandle }: GraphEdge,
): string | null | undefined {
  const handle = targetHandle ?? '';
  if (inputOf(type, handle)) return handle;
  if (plainHandles.has(handle)) return null;
  return type.open ? handle : undefined;
}

interface Joint {
  edge: GraphEdge;
  output: NodeOutput | null;
  into: Incoming;
}

function joinBranch({ edge, output, into }: Joint, input: string | null): EdgeProblem | null {
  if (input !== null) {
    const text = msg('graph.branchIntoInput', { edge: edge.name, input });
    return { at: `inputs.${input}`, text };
  }
  if (into.when !== undefined) {
    return { at: 'when', text: msg('graph.twoConditions') };
  }
  const value = referenceTo(edge.source, output?.path);
  if (value === null) return unusable(edge);
  into.when = { value, equals: output?.branch };
  return null;
}

function joinValue({ edge, output, into }: Joint, input: string): EdgeProblem | null {
  if (into.flowing.has(input)) {
    return { at: `inputs.${input}`, text: msg('graph.twoSources') };
  }
  const value = referenceTo(edge.source, output?.path);
  if (value === null) return unusable(edge);
  into.flowing.set(input, value);
  return null;
}

const unusable = ({ name, source }: GraphEdge): EdgeProblem => ({
  at: '',
  text: msg('graph.sourceNotReferable', { edge: name, node: source }),
});

/** Returns null if the reference cannot be written. */
export function referenceTo(id: string, path: string | undefined): string | null {
  const rest = path === undefined || path === '' || path.startsWith('[') ? path : `.${path}`;
  const text = `node.${id}.result${rest ?? ''}`;
  try {
    return parseReference(text) === null ? null : `{{${text}}}`;
  } catch (error) {
    if (error instanceof ReferenceProblem) return null;
    throw error;
  }
}
