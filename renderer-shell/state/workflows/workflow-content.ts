import type { InputSchema, Workflow } from '../../../service/contract/index.ts';
import type { Graph } from './graph.ts';
import { isNote, readGraph, stepData, storedGraph } from './graph.ts';

/** What of a workflow a person edits. */
export interface WorkflowContent {
  name: string;
  description: string;
  inputSchema: InputSchema;
  graph: Graph;
}

/** What is edited beside a published definition comes before that. */
export function contentOf(workflow: Workflow): WorkflowContent {
  const { name, description, inputSchema, graph } = workflow.edit ?? workflow;
  return { name, description, inputSchema, graph: readGraph(graph) };
}

/** As it is sent to be stored. */
export const sentContent = ({ name, graph, ...rest }: WorkflowContent) => ({
  name: name.trim(),
  ...rest,
  graph: storedGraph(graph),
});

/** How one version of a workflow differs from another: its steps by title. */
export interface VersionSummary {
  steps: number;
  notes: number;
  edges: number;
  inputs: number;
}

export const summaryOf = ({ graph, inputSchema }: WorkflowContent): VersionSummary => ({
  steps: graph.nodes.filter((node) => !isNote(node)).length,
  notes: graph.nodes.filter(isNote).length,
  edges: graph.edges.length,
  inputs: Object.keys(inputSchema['properties'] ?? {}).length,
});

/** A version as text that can be laid beside another one: what matters, in a fixed order. */
export function textOfContent({ name, description, inputSchema, graph }: WorkflowContent): string {
  const nodes = graph.nodes
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((node) =>
      isNote(node) ? { id: node.id, ...node.data } : { id: node.id, ...stepData(node) },
    );
  const edges = graph.edges
    .map(({ source, sourceHandle, target, targetHandle }) => {
      const from = sourceHandle ? `${source}.${sourceHandle}` : source;
      return `${from} -> ${targetHandle ? `${target}.${targetHandle}` : target}`;
    })
    .sort();
  return JSON.stringify({ name, description, inputSchema, nodes, edges }, null, 2);
}
