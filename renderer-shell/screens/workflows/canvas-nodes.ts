import type { Edge, Node } from '@xyflow/react';
import type { WorkflowNode } from '../../../service/contract/index.ts';
import type { Graph, GraphEdge, GraphNode } from '../../state/workflows/graph.ts';
import { isNote, isNodeHandle, stepData } from '../../state/workflows/graph.ts';
import { kindOf, outputOf, titleOf } from '../../state/workflows/node-kinds.ts';
import type { LocatedProblem } from '../../state/workflows/problems.ts';
import { byNode } from '../../state/workflows/problems.ts';
import type { StepView } from '../../state/workflows/run-view.ts';
import type { OpenWorkflow } from './workflow-context.ts';

/** Options for fitting the entire workflow into the view. */
export const fitting = { padding: 0.15, maxZoom: 1 };
export const zooms = { min: 0.2, max: 2 };

export type StepCanvasNode = Node<
  {
    node: GraphNode;
    kind: WorkflowNode | undefined;
    title: string;
    problems: readonly LocatedProblem[];
    step: StepView | undefined;
    /** The inputs that receive a value from an edge, one per line. */
    wired: string;
  },
  'step'
>;
export type NoteCanvasNode = Node<{ text: string }, 'sticky'>;
export type CanvasNode = StepCanvasNode | NoteCanvasNode;

/** State of a node on the canvas that is not stored. */
export type Live = Partial<
  Pick<CanvasNode, 'position' | 'measured' | 'width' | 'height' | 'dragging'>
>;

const noProblems: readonly LocatedProblem[] = [];

/** Unchanged nodes keep their identity, so that only changed ones are drawn again. */
export type CanvasNodeCache = Map<string, { parts: readonly unknown[]; canvasNode: CanvasNode }>;

type CanvasState = Pick<OpenWorkflow, 'content' | 'kinds' | 'problems' | 'steps' | 'selection'>;

export function canvasNodesOf(
  { content: { graph }, kinds, problems, steps, selection }: CanvasState,
  live: ReadonlyMap<string, Live>,
  cache: CanvasNodeCache,
): CanvasNode[] {
  const wired = wiredInputs(graph);
  const problemsByNode = byNode(problems);
  return graph.nodes.map((node) => {
    const { id } = node;
    const own = live.get(id);
    const parts = [
      ...[node, own, selection.has(id), kinds, steps.get(id), wired.get(id) ?? ''],
      JSON.stringify(problemsByNode.get(id) ?? []),
    ];
    const cached = cache.get(id);
    if (cached?.parts.every((part, index) => part === parts[index])) return cached.canvasNode;
    const canvasNode = canvasNodeOf(node, {
      own,
      selected: selection.has(id),
      kinds,
      step: steps.get(id),
      wired: wired.get(id) ?? '',
      problems: problemsByNode.get(id) ?? noProblems,
    });
    cache.set(id, { parts, canvasNode });
    return canvasNode;
  });
}

interface CanvasNodeParts {
  own: Live | undefined;
  selected: boolean;
  kinds: OpenWorkflow['kinds'];
  step: StepView | undefined;
  wired: string;
  problems: readonly LocatedProblem[];
}

function canvasNodeOf(
  node: GraphNode,
  { own, selected, kinds, ...parts }: CanvasNodeParts,
): CanvasNode {
  const { id, position } = node;
  const { width, height } = node as { width?: unknown; height?: unknown };
  if (isNote(node))
    return {
      id,
      type: 'sticky',
      position,
      selected,
      width: lengthOf(width, 220),
      height: lengthOf(height, 120),
      data: { text: typeof node.data['text'] === 'string' ? node.data['text'] : '' },
      ...own,
    };
  const title = titleOf(node, kinds);
  const kind = kindOf(kinds, stepData(node).nodeType);
  return {
    id,
    type: 'step',
    position,
    selected,
    ariaLabel: title,
    data: { node, kind, title, ...parts },
    ...own,
  };
}

const lengthOf = (value: unknown, fallback: number): number =>
  typeof value === 'number' && value > 0 ? value : fallback;

function wiredInputs({ edges }: Graph): Map<string, string> {
  const found = new Map<string, string>();
  for (const { target, targetHandle } of edges) {
    if (isNodeHandle(targetHandle)) continue;
    found.set(target, `${found.get(target) ?? ''}${targetHandle ?? ''}\n`);
  }
  return found;
}

export function linesOf(
  { content: { graph }, kinds, selection }: CanvasState,
  labelOf: (edge: GraphEdge) => string,
): Edge[] {
  const kindsById = new Map(
    graph.nodes.map((node) => [node.id, kindOf(kinds, stepData(node).nodeType)]),
  );
  return graph.edges.map((edge) => {
    const { id, source, target, sourceHandle, targetHandle } = edge;
    const output = outputOf(kindsById.get(source), sourceHandle);
    const isInput = kindsById.get(target)?.inputs.some(({ name }) => name === targetHandle);
    return {
      id,
      source,
      target,
      selected: selection.has(id),
      ariaLabel: labelOf(edge),
      sourceHandle: output ? output.name : null,
      targetHandle: isInput === true ? (targetHandle ?? null) : null,
      ...(output?.branch !== undefined && { label: output.label }),
    };
  });
}
