import dagre from '@dagrejs/dagre';

/** A step of the graph. */
export interface GraphStep {
  title: string;
  tool: string;
  /** Indexes of the steps that must run before it. */
  dependsOn: readonly number[];
  /** The status of the step; absent if it has not started. */
  status?: string;
}

export const nodeWidth = 200;
export const nodeHeight = 52;

/**
 * Returns the upper left corner of each step, from top to bottom in the order in which they may
 * run.
 */
export function layoutSteps(
  steps: readonly Pick<GraphStep, 'dependsOn'>[],
): { x: number; y: number }[] {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 24, ranksep: 40 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const index of steps.keys())
    graph.setNode(String(index), { width: nodeWidth, height: nodeHeight });
  for (const [index, { dependsOn }] of steps.entries())
    for (const target of dependsOn)
      if (target in steps) graph.setEdge(String(target), String(index));
  dagre.layout(graph);
  return steps.map((_, index) => {
    const { x, y } = graph.node(String(index)) as { x: number; y: number };
    return { x: x - nodeWidth / 2, y: y - nodeHeight / 2 };
  });
}
