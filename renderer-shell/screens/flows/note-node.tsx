import type { NodeProps } from '@xyflow/react';
import { NodeResizer } from '@xyflow/react';
import { useTranslation } from 'react-i18next';
import { changed } from '../../state/flows/graph-edits.ts';
import type { NoteBox } from './canvas-parts.ts';
import { useFlow } from './flow-context.ts';

const longestNote = 10_000;

/** Words on the canvas; they are no step. */
export function NoteNode({ id, data, selected }: NodeProps<NoteBox>) {
  const { t } = useTranslation();
  const { editor } = useFlow();
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
        maxLength={longestNote}
        value={data.text}
        onChange={(event) => write(event.currentTarget.value)}
      />
    </div>
  );
}
