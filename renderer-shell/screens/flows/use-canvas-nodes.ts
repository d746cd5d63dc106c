import type { EdgeChange, NodeChange } from '@xyflow/react';
import { useMemo, useState } from 'react';
import type { Position } from '../../state/flows/graph.ts';
import { changed, moved } from '../../state/flows/graph-edits.ts';
import type { Box, BoxCache, Live } from './canvas-parts.ts';
import { boxesOf } from './canvas-parts.ts';
import type { Flow } from './flow-context.ts';

export interface CanvasNodes {
  nodes: Box[];
  onNodesChange: (changes: NodeChange<Box>[]) => void;
  onEdgesChange: (changes: EdgeChange[]) => void;
}

/** The nodes as they are drawn; what is done to them on the canvas becomes changes of the graph. */
export function useCanvasNodes(flow: Flow): CanvasNodes {
  const { editor, selection, select } = flow;
  const [live, setLive] = useState<ReadonlyMap<string, Live>>(new Map());
  const [cache] = useState<BoxCache>(() => new Map());
  const { content, kinds, problems, steps } = flow;
  const nodes = useMemo(
    () => boxesOf({ content, kinds, problems, steps, selection }, live, cache),
    [content, kinds, problems, steps, selection, live, cache],
  );
  const onNodesChange = (changes: NodeChange<Box>[]) => {
    const sizes = changes.filter((change) => change.type === 'dimensions');
    const places = changes.filter((change) => change.type === 'position');
    if (sizes.length + places.length > 0) setLive((now) => liveAfter(now, changes));
    const done = places.filter(({ dragging }) => dragging !== true);
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
  const choose = (changes: (NodeChange<Box> | EdgeChange)[]) => {
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

function liveAfter(live: ReadonlyMap<string, Live>, changes: readonly NodeChange<Box>[]) {
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
