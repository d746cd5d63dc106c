import { graphlib, layout } from '@dagrejs/dagre';
import type { Graph, Position } from './graph.ts';
import { isNote } from './graph.ts';
import { moved } from './graph-edits.ts';

/** Size of a node, in pixels. */
export interface Size {
  width: number;
  height: number;
}

const unknownSize: Size = { width: 240, height: 100 };

/**
 * Returns the graph with its steps in columns from left to right, so that few edges cross; notes
 * stay in place.
 */
export function arranged(graph: Graph, sizes: ReadonlyMap<string, Size>): Graph {
  const steps = graph.nodes.filter((node) => !isNote(node));
  const plan = new graphlib.Graph({ multigraph: true });
  plan.setGraph({ rankdir: 'LR', nodesep: 40, ranksep: 80 });
  plan.setDefaultEdgeLabel(() => ({}));
  for (const { id } of steps) plan.setNode(id, { ...(sizes.get(id) ?? unknownSize) });
  for (const { id, source, target } of graph.edges) plan.setEdge(source, target, {}, id);
  layout(plan);
  const positions = steps.map(({ id }): [string, Position] => {
    const { x, y, width, height } = plan.node(id) as Position & Size;
    return [id, { x: x - width / 2, y: y - height / 2 }];
  });
  return moved(graph, new Map(positions));
}
