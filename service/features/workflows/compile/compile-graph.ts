import {
  type AgentPlan,
  type CompiledWorkflow,
  type WorkflowGraph,
  type InputSchema,
  maxWorkflowSteps,
  type PlanStep,
} from '../../../contract/index.ts';
import type { FieldError } from '../../../core/host-error.ts';
import {
  type Reference,
  ReferenceProblem,
  referencesIn,
  replaceReferences,
} from '../../../core/references.ts';
import { type Message, msg } from '../../../messages/index.ts';
import { planProblems } from '../../agent/index.ts';
import { inputNames } from '../definition/input-schema.ts';
import { connect, type ConnectedNode, type Incoming } from './connect.ts';
import { argumentsOf } from './input-values.ts';
import { findNodeType, type NodeTypes } from './node-types.ts';
import { prerequisitesOf, orderOf } from './order.ts';
import { atNode, extrasOf, type GraphEdge, type GraphNode, readGraph } from './read-graph.ts';

export type Compiled = CompiledWorkflow | { problems: FieldError[] };

const mostProblems = 50;

/**
 * Compiles a graph to a plan. The order of steps depends only on the graph: the same nodes and
 * edges give the same plan, in whatever order they are listed. Problems name the node.
 */
export function compileGraph(
  graph: WorkflowGraph,
  inputSchema: InputSchema,
  types: NodeTypes,
): Compiled {
  const read = readGraph(graph);
  if ('problems' in read) return refused(read.problems);
  if (read.nodes.length === 0 || read.nodes.length > maxWorkflowSteps)
    return refused([countProblem(read.nodes.length)]);
  const typed = withTypes(read.nodes, types);
  if ('problems' in typed) return refused(typed.problems);
  const { incoming, problems } = connect(typed.nodes, read.edges.toSorted(byEnds));
  const sourcesOf = (id: string): ReadonlySet<string> => incoming.get(id)?.sources ?? new Set();
  const sorted = orderOf([...typed.nodes.values()], sourcesOf);
  if ('circle' in sorted) return refused([...problems, circleProblem(sorted.circle)]);
  const { order } = sorted;
  const stepper: Stepper = {
    indexOf: new Map(order.map(({ id }, index) => [id, index])),
    prerequisites: prerequisitesOf(order, sourcesOf),
    incoming,
    problems,
  };
  const plan: AgentPlan = { steps: order.map((node) => stepOf(node, stepper)) };
  const remaining = problems.length > 0 ? problems : shapeProblems(plan, inputSchema);
  if (remaining.length > 0) return refused(remaining);
  const layout = order.map(({ x, y }, index) => [String(index), { x, y }] as const);
  return { plan, layout: Object.fromEntries(layout) };
}

const refused = (problems: readonly FieldError[]): Compiled => ({
  problems: problems.slice(0, mostProblems),
});

function countProblem(count: number): FieldError {
  const message =
    count === 0
      ? msg('graph.noSteps')
      : msg('graph.tooManySteps', { count, limit: maxWorkflowSteps });
  return { path: 'nodes', message };
}

const keyOf = (edge: GraphEdge): string =>
  JSON.stringify([edge.source, edge.target, edge.sourceHandle, edge.targetHandle, edge.name]);
const byEnds = (a: GraphEdge, b: GraphEdge): number => (keyOf(a) < keyOf(b) ? -1 : 1);

function withTypes(
  nodes: readonly GraphNode[],
  types: NodeTypes,
): { nodes: Map<string, ConnectedNode> } | { problems: FieldError[] } {
  const found = new Map<string, ConnectedNode>();
  const problems: FieldError[] = [];
  for (const node of nodes) {
    const name = node.data.nodeType;
    const type = findNodeType(types, name);
    if (type) found.set(node.id, { ...node, type });
    else {
      const message = msg('graph.unknownType', { type: name });
      problems.push({ path: atNode(node.id, 'nodeType'), message });
    }
  }
  return problems.length > 0 ? { problems } : { nodes: found };
}

function circleProblem(circle: readonly string[]): FieldError {
  const [first = ''] = circle;
  const way = [...circle, first].join(' -> ');
  return { path: atNode(first), message: msg('graph.cycle', { nodes: way }) };
}

interface Stepper {
  indexOf: ReadonlyMap<string, number>;
  prerequisites: ReadonlyMap<string, ReadonlySet<string>>;
  incoming: ReadonlyMap<string, Incoming>;
  problems: FieldError[];
}

function stepOf(node: ConnectedNode, stepper: Stepper): PlanStep {
  const { id, data, type } = node;
  const into = stepper.incoming.get(id);
  const { forEach } = data;
  const filled = argumentsOf(type, data.inputs, into?.flowing ?? new Map<string, string>(), {
    element: forEach !== undefined,
  });
  for (const { at, message } of filled.problems)
    stepper.problems.push({ path: atNode(id, `inputs.${at}`), message });
  const unresolved = { inputs: filled.arguments, when: into?.when, forEach };
  const { inputs, when, forEach: list } = withIndexes(unresolved, node, stepper);
  return {
    id,
    title: data.title?.trim() || type.label.slice(0, 500),
    tool: type.tool,
    arguments: inputs,
    dependsOn: [...(into?.sources ?? [])]
      .map((source) => stepper.indexOf.get(source) ?? 0)
      .sort(byNumber),
    ...(when && { when }),
    ...(list === undefined ? {} : { forEach: list }),
    ...extrasOf(data),
  };
}

const byNumber = (a: number, b: number): number => a - b;

interface Unresolved {
  inputs: Record<string, unknown>;
  when: PlanStep['when'];
  forEach: unknown;
}

/**
 * Replaces references to nodes by references to earlier steps. They add no dependency: otherwise a
 * step on a branch that is not taken would still run because of the other one.
 */
function withIndexes<T extends Unresolved>(
  value: T,
  { id }: ConnectedNode,
  { indexOf, prerequisites, problems }: Stepper,
): T {
  try {
    for (const { at, reference } of referencesIn(value)) {
      if (reference.source !== 'node') continue;
      const message = missingLink(reference, id, { indexOf, prerequisites });
      if (message !== null) problems.push({ path: atNode(id, at.join('.')), message });
    }
    return replaceReferences(value, (reference) => braced(reference, indexOf)) as T;
  } catch (error) {
    if (!(error instanceof ReferenceProblem)) throw error;
    problems.push({ path: atNode(id, error.at.join('.')), message: error.text });
    return value;
  }
}

function missingLink(
  { text, key }: Reference,
  id: string,
  { indexOf, prerequisites }: Pick<Stepper, 'indexOf' | 'prerequisites'>,
): Message | null {
  const name = text.slice(0, 200);
  if (!indexOf.has(key)) return msg('graph.unknownNode', { name });
  if (key === id) return msg('graph.refersToItself', { name });
  if (prerequisites.get(id)?.has(key)) return null;
  return msg('graph.edgeNeeded', { name, from: key, to: id });
}

function braced({ text, source, key }: Reference, indexOf: ReadonlyMap<string, number>): string {
  const index = source === 'node' ? indexOf.get(key) : undefined;
  if (index === undefined) return `{{${text}}}`;
  return `{{steps.${index}${text.slice(`node.${key}`.length)}}}`;
}

/** Returns the problems that can only be found in the finished plan, by node. */
function shapeProblems(plan: AgentPlan, inputSchema: InputSchema): FieldError[] {
  return nodeProblems(plan, planProblems(plan, { inputs: inputNames(inputSchema) }));
}

/** Converts problems of the steps of a compiled plan to problems of its nodes. */
export function nodeProblems(plan: AgentPlan, problems: readonly FieldError[]): FieldError[] {
  return problems.map(({ path, message }) => {
    const [, index = '', rest = ''] = /^steps\.(\d+)\.?(.*)$/s.exec(path) ?? [];
    const id = plan.steps[Number(index)]?.id;
    if (index === '' || id === undefined) return { path, message };
    return { path: atNode(id, rest.replace(/^arguments(?=\.|$)/, 'inputs')), message };
  });
}
