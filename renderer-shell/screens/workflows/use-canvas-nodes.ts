import type { EdgeChange, NodeChange } from '@xyflow/react';
import { useMemo, useState } from 'react';
import type { Position } from '../../state/workflows/graph.ts';
import { changed, moved } from '../../state/workflows/graph-edits.ts';
import type { CanvasNode, CanvasNodeCache, Live } from './canvas-nodes.ts';
import { canvasNodesOf } from './canvas-nodes.ts';
import type { OpenWorkflow } from './workflow-context.ts';

/** The drawn nodes and the handlers of changes on the canvas. */
export interface CanvasNodes {
  nodes: CanvasNode[];
  onNodesChange: (changes: NodeChange<CanvasNode>[]) => void;
  onEdgesChange: (changes: EdgeChange[]) => void;
}

/** Returns the nodes to draw; changes on the canvas become changes of the graph. */
export function useCanvasNodes(workflow: OpenWorkflow): CanvasNodes {
  const { editor, selection, select } = workflow;
  const [live, setLive] = useState<ReadonlyMap<string, Live>>(new Map());
  const [cache] = useState<CanvasNodeCache>(() => new Map());
  const { content, kinds, problems, steps } = workflow;
  const nodes = useMemo(
    () => canvasNodesOf({ content, kinds, problems, steps, selection }, live, cache),
    [content, kinds, problems, steps, selection, live, cache],
  );
  const onNodesChange = (changes: NodeChange<CanvasNode>[]) => {
    const sizes = changes.filter((change) => change.type === 'dimensions');
    const moves = changes.filter((change) => change.type === 'position');
    if (sizes.length + moves.length > 0) setLive((now) => liveAfter(now, changes));
    const done = moves.filter(({ dragging }) => dragging !== true);
    const ends = new Map(
      done.flatMap(({ id, position }): [string, Position][] => (position ? [[id, position]] : [])),
    );
    const key = `move ${[...ends.keys()].join(' ')}`;
    if (ends.size > 0) editor.changeGraph((graph) => moved(graph, ends), key);
    for (const { id, dimensions, resizing } of sizes)
      if (resizing === false && dimensions)
        editor.changeGraph((graph) => changed(graph, id, (node) => ({ ...node, ...dimensions })));
    choose(changes);
  };
  const choose = (changes: (NodeChange<CanvasNode> | EdgeChange)[]) => {
    const picks = changes.filter((change) => change.type === 'select');
    if (picks.length === 0) return;
    const next = new Set(selection);
    for (const { id, selected } of picks) {
      if (selected) next.add(id);
      else next.delete(id);
    }
    select(next);
  };
  return { nodes, onNodesChange, onEdgesChange: choose };
}

function liveAfter(live: ReadonlyMap<string, Live>, changes: readonly NodeChange<CanvasNode>[]) {
  const next = new Map(live);
  for (const change of changes) {
    if (change.type === 'dimensions') {
      const { id, dimensions, resizing } = change;
      if (!dimensions) continue;
      const { width: _, height: __, ...before } = next.get(id) ?? {};
      const size = resizing === true ? dimensions : {};
      next.set(id, { ...before, ...size, measured: dimensions });
    }
    if (change.type === 'position') {
      const { id, position, dragging } = change;
      const { position: _, dragging: __, ...before } = next.get(id) ?? {};
      next.set(id, dragging === true && position ? { ...before, position, dragging } : before);
    }
  }
  return next;
}
