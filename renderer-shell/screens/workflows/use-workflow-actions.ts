import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { arranged } from '../../state/workflows/arrange.ts';
import { refusalOf } from '../../state/workflows/connecting.ts';
import type { Graph, Position } from '../../state/workflows/graph.ts';
import { emptyGraph, isNote } from '../../state/workflows/graph.ts';
import type { Wire } from '../../state/workflows/graph-edits.ts';
import {
  copyOf,
  pasted,
  withEdge,
  withNote,
  without,
  withStep,
} from '../../state/workflows/graph-edits.ts';
import type { OpenWorkflow } from './workflow-context.ts';

/** The actions on the open workflow. */
export interface WorkflowActions {
  /** Adds a step at that position, or beside and after the selected step. */
  addStep: (nodeType: string, at?: Position) => void;
  addNote: () => void;
  connect: (wire: Wire) => void;
  remove: () => void;
  copy: () => void;
  paste: () => void;
  duplicate: () => void;
  selectAll: () => void;
  arrange: () => void;
}

/** The last copied nodes; they can be pasted into another workflow. */
let copied: Graph = emptyGraph;

const stepGap = 320;
const pasteGap: Position = { x: 40, y: 40 };
const crowded = 60;

export function useWorkflowActions(workflow: OpenWorkflow): WorkflowActions {
  const { editor, kinds, selection, select } = workflow;
  const { t } = useTranslation();
  const { screenToFlowPosition, fitView } = useReactFlow();
  const canvas = useStoreApi();
  const graph = (): Graph => editor.content.graph;
  const middle = (): Position => {
    const bounds = canvas.getState().domNode?.getBoundingClientRect();
    if (!bounds) return { x: 0, y: 0 };
    return screenToFlowPosition({
      x: bounds.x + bounds.width / 2 - 120,
      y: bounds.y + bounds.height / 3,
    });
  };
  const put = (copy: Graph) => {
    if (copy.nodes.length === 0) return;
    const { graph: next, ids } = pasted(graph(), copy, pasteGap);
    editor.changeGraph(() => next);
    copied = copyOf(next, ids);
    select(ids);
  };
  return {
    addStep: (nodeType, at) => {
      const [chosen] = graph().nodes.filter(({ id }) => selection.has(id) && selection.size === 1);
      const before = chosen && !isNote(chosen) && !at ? chosen : undefined;
      const positionAfter = before && { x: before.position.x + stepGap, y: before.position.y };
      const position = at ?? freePosition(graph(), positionAfter ?? middle());
      const { graph: next, id } = withStep(graph(), { nodeType, position });
      const wire = before && { source: before.id, target: id };
      const isFree = wire && refusalOf(next, kinds, wire) === null;
      editor.changeGraph(() => (isFree ? withEdge(next, wire) : next));
      select([id]);
    },
    addNote: () => {
      const { graph: next, id } = withNote(
        graph(),
        freePosition(graph(), middle()),
        t('flows.noteText'),
      );
      editor.changeGraph(() => next);
      select([id]);
    },
    connect: (wire) => editor.changeGraph((now) => withEdge(now, wire)),
    remove: () => {
      editor.changeGraph((now) => without(now, selection));
      select([]);
    },
    copy: () => {
      copied = copyOf(graph(), selection);
    },
    paste: () => put(copied),
    duplicate: () => put(copyOf(graph(), selection)),
    selectAll: () => select(graph().nodes.map(({ id }) => id)),
    arrange: () => {
      const { nodeLookup } = canvas.getState();
      const sizes = [...nodeLookup.values()].map(({ id, measured: { width, height } }) => {
        return [id, { width: width ?? 240, height: height ?? 100 }] as const;
      });
      editor.changeGraph((now) => arranged(now, new Map(sizes)));
      requestAnimationFrame(() => void fitView({ padding: 0.15, maxZoom: 1 }));
    },
  };
}

/** Returns a position that no other node covers. */
function freePosition({ nodes }: Graph, preferred: Position): Position {
  const isTaken = ({ x, y }: Position): boolean =>
    nodes.some(
      ({ position }) => Math.abs(position.x - x) < crowded && Math.abs(position.y - y) < crowded,
    );
  let candidate = preferred;
  while (isTaken(candidate)) candidate = { x: candidate.x, y: candidate.y + 160 };
  return candidate;
}
