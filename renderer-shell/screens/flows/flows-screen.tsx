import '@xyflow/react/dist/base.css';
import './flows.css';
import './node-words.ts';
import './words.ts';
import { useEffect } from 'react';
import { flowsOf } from '../../state/flows/flow-book.ts';
import { ListCover } from '../../ui/frame/list-pane.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { FlowSidebar } from './flow-sidebar.tsx';
import { FlowBegin } from './flow-begin.tsx';
import { FlowView } from './flow-view.tsx';

export interface FlowsScreenProps {
  workflowId: string | null;
  /** Whether the window is too narrow to show the list beside the content. */
  narrow: boolean;
}

/** The list of workflows, and the one that is open. */
export function FlowsScreen({ workflowId, narrow }: FlowsScreenProps) {
  const shell = useShell();
  const { listOpen } = useStore(shell.view);
  const book = flowsOf(shell);
  useEffect(() => void book.refreshKinds(), [book]);
  const covered = narrow && (listOpen || workflowId === null);
  return (
    <div className="screen" data-narrow={narrow} data-bare={workflowId === null}>
      <FlowSidebar book={book} chosenId={workflowId} hidden={narrow && !covered} />
      {covered && workflowId !== null && <ListCover />}
      {workflowId === null ? (
        <FlowBegin book={book} />
      ) : (
        <FlowView key={workflowId} book={book} workflowId={workflowId} narrow={narrow} />
      )}
    </div>
  );
}
