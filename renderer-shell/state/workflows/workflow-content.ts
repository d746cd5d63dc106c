import type { InputSchema, Workflow } from '../../../service/contract/index.ts';
import type { Graph } from './graph.ts';
import { isNote, readGraph, stepData, storedGraph } from './graph.ts';

/** The part of a workflow that a person edits. */
export interface WorkflowContent {
  name: string;
  description: string;
  inputSchema: InputSchema;
  graph: Graph;
}

/** Returns unpublished changes if there are any, else the published definition. */
export function contentOf(workflow: Workflow): WorkflowContent {
  const { name, description, inputSchema, graph } = workflow.edit ?? workflow;
  return { name, description, inputSchema, graph: readGraph(graph) };
}

/** Returns the content in the format in which it is stored. */
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

/**
 * Returns a version as text for a side-by-side comparison: the relevant fields, in a fixed order.
 */
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
