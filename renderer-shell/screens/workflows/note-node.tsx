import type { NodeProps } from '@xyflow/react';
import { NodeResizer } from '@xyflow/react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { changed } from '../../state/workflows/graph-edits.ts';
import type { NoteCanvasNode } from './canvas-nodes.ts';
import { useWorkflow } from './workflow-context.ts';

const maxNoteLength = 10_000;

/** A note on the canvas, which is not a step. */
export function NoteNode({ id, data, selected }: NodeProps<NoteCanvasNode>) {
  const { t } = useTranslation();
  const { editor } = useWorkflow();
  const write = (text: string) =>
    editor.changeGraph(
      (graph) => changed(graph, id, (node) => ({ ...node, data: { ...node.data, text } })),
      `note ${id}`,
    );
  return (
    <div className="flow-note" data-selected={selected}>
      <NodeResizer isVisible={selected} minWidth={120} minHeight={60} />
      <textarea
        className="nodrag nowheel"
        aria-label={t('flows.note')}
        maxLength={maxNoteLength}
        value={data.text}
        onChange={(event) => write(event.currentTarget.value)}
      />
    </div>
  );
}
