import type { NodeOutput, PlanStep } from '../../../contract/index.ts';
import type { FieldError } from '../../../core/host-error.ts';
import { parseReference, ReferenceProblem } from '../../../core/references.ts';
import { inputOf, type NodeType } from './node-types.ts';
import { atNode, type GraphEdge, type GraphNode } from './read-graph.ts';

/** What the edges that lead to a node bring. */
export interface Incoming {
  /** Ids, each once. */
  sources: Set<string>;
  /** A reference to the node it comes from, by the name of the input. */
  flowing: Map<string, string>;
  when: PlanStep['when'];
}

export interface ConnectedNode extends GraphNode {
  type: NodeType;
}

/** Names that canvases give to a connection that means nothing but an order. */
const plainHandles = new Set(['', 'in', 'out', 'source', 'target']);

/** What the edges mean for each node, by its id. */
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
  text: string;
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
  if (source === target)
    return { at: '', text: `goes in a circle: ${edge.source} -> ${edge.source}` };
  into.sources.add(edge.source);
  const output = outputOf(source, edge);
  if (output === undefined) return { at: '', text: noOutput(edge, source) };
  const input = inputName(target, edge);
  if (input === undefined)
    return { at: `inputs.${edge.targetHandle ?? ''}`, text: `is no input of ${target.type.label}` };
  const joint = { edge, output, into };
  if (output?.branch !== undefined) return joinBranch(joint, input);
  return input === null ? null : joinValue(joint, input);
}

/** Null: the whole node; undefined: there is no such output. */
function outputOf(
  { type }: ConnectedNode,
  { sourceHandle }: GraphEdge,
): NodeOutput | null | undefined {
  const handle = sourceHandle ?? '';
  const named = type.outputs.find(({ name }) => name === handle);
  return named ?? (plainHandles.has(handle) ? null : undefined);
}

function noOutput({ name, sourceHandle }: GraphEdge, { id, type }: ConnectedNode): string {
  const names = type.outputs.map((output) => output.name).join(', ');
  return `The edge ${name} comes from ${sourceHandle ?? ''} of ${id}, which has the outputs ${names === '' ? '(none)' : names}`;
}

/** Null: an order alone; undefined: there is no such input. */
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
    const text = `The edge ${edge.name} says whether this is done, and brings no value for ${input}. Connect it with the node itself`;
    return { at: `inputs.${input}`, text };
  }
  if (into.when !== undefined) {
    const text = 'has two conditions, where one is allowed. Put the second behind the first';
    return { at: 'when', text };
  }
  const value = referenceTo(edge.source, output?.path);
  if (value === null) return unusable(edge);
  into.when = { value, equals: output?.branch };
  return null;
}

function joinValue({ edge, output, into }: Joint, input: string): EdgeProblem | null {
  if (into.flowing.has(input)) {
    const text = 'has two sources, where one is allowed. Remove one of the edges';
    return { at: `inputs.${input}`, text };
  }
  const value = referenceTo(edge.source, output?.path);
  if (value === null) return unusable(edge);
  into.flowing.set(input, value);
  return null;
}

const unusable = ({ name, source }: GraphEdge): EdgeProblem => ({
  at: '',
  text: `The edge ${name} cannot bring a value: ${source} has an id or a path with dots, brackets or spaces in it`,
});

/** Null where it cannot be written. */
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
