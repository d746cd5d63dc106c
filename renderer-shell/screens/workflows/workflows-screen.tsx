import '@xyflow/react/dist/base.css';
import './workflows.css';
import './node-translations.ts';
import './translations.ts';
import { useEffect } from 'react';
import { workflowsOf } from '../../state/workflows/workflows.ts';
import { ListCover } from '../../ui/frame/list-pane.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { WorkflowSidebar } from './workflow-sidebar.tsx';
import { WorkflowStartPage } from './workflow-start-page.tsx';
import { WorkflowView } from './workflow-view.tsx';

/** Props of the workflow area. */
export interface WorkflowsScreenProps {
  workflowId: string | null;
  /** True if the window is too narrow to show the list beside the content. */
  narrow: boolean;
}

/** Shows the list of workflows and the open one. */
export function WorkflowsScreen({ workflowId, narrow }: WorkflowsScreenProps) {
  const shell = useShell();
  const { listOpen } = useStore(shell.view);
  const workflows = workflowsOf(shell);
  useEffect(() => void workflows.refreshKinds(), [workflows]);
  const covered = narrow && (listOpen || workflowId === null);
  return (
    <div className="screen" data-narrow={narrow} data-bare={workflowId === null}>
      <WorkflowSidebar workflows={workflows} chosenId={workflowId} hidden={narrow && !covered} />
      {covered && workflowId !== null && <ListCover />}
      {workflowId === null ? (
        <WorkflowStartPage workflows={workflows} />
      ) : (
        <WorkflowView
          key={workflowId}
          workflows={workflows}
          workflowId={workflowId}
          narrow={narrow}
        />
      )}
    </div>
  );
}
