import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { OpenRun } from '../../state/agent/agent-run.ts';
import type { Workflows } from '../../state/workflows/workflows.ts';
import type { WorkflowEditor } from '../../state/workflows/workflow-editor.ts';
import type { NodeKinds } from '../../state/workflows/node-kinds.ts';
import { locateProblems } from '../../state/workflows/problems.ts';
import { stepViews } from '../../state/workflows/run-view.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import type { Watched } from '../../core/store.ts';
import { useStore } from '../../core/store.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { WorkflowCanvas } from './workflow-canvas.tsx';
import type { OpenWorkflow, Panel } from './workflow-context.ts';
import { WorkflowContext } from './workflow-context.ts';
import { WorkflowDetails } from './workflow-details.tsx';
import { WorkflowToolbar } from './workflow-toolbar.tsx';
import { NodePalette } from './node-palette.tsx';
import { ProblemBar } from './problem-bar.tsx';

interface WorkflowWorkspaceProps {
  workflows: Workflows;
  editor: WorkflowEditor;
  kinds: NodeKinds;
  narrow: boolean;
}

const noRun: Watched<OpenRun> = {
  get: () => nothing,
  subscribe: () => () => undefined,
};
const nothing: OpenRun = { kind: 'loading', run: null, error: null };
const noSteps: OpenWorkflow['steps'] = new Map();

export function WorkflowWorkspace(props: WorkflowWorkspaceProps) {
  const { narrow, editor } = props;
  const { t } = useTranslation();
  const workflow = useOpenWorkflow(props);
  const [paletteOpen, setPaletteOpen] = useState(!narrow);
  const { saving, error } = workflow.state;
  useUnsavedWarning(editor);
  return (
    <WorkflowContext value={workflow}>
      <ReactFlowProvider>
        <main className="content">
          <WorkflowToolbar paletteOpen={paletteOpen} setPaletteOpen={setPaletteOpen} />
          {saving === 'failed' && error !== null && (
            <div className="content-note">
              <ErrorAlert
                title={t('flows.notSaved')}
                error={error}
                onRetry={() => void editor.save()}
              />
            </div>
          )}
          <div className="flow-row">
            {paletteOpen && !(narrow && workflow.panel !== null) && (
              <NodePalette onClose={() => setPaletteOpen(false)} />
            )}
            <div className="flow-place">
              <WorkflowCanvas />
              {workflow.state.workflow.edit && (
                <p className="flow-beside" role="status">
                  {t('flows.beside')}
                </p>
              )}
              <ProblemBar />
            </div>
          </div>
        </main>
        {workflow.panel !== null && <WorkflowDetails />}
        <ConflictDialog />
      </ReactFlowProvider>
    </WorkflowContext>
  );
}

function useOpenWorkflow({
  workflows,
  editor,
  kinds,
  narrow,
}: WorkflowWorkspaceProps): OpenWorkflow {
  const state = useStore(editor.state);
  const { id } = state.workflow;
  const run = useStore(workflows.runOf(id));
  const openRun = useStore(run?.state ?? noRun);
  useEffect(() => run?.watch(), [run]);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [panel, setPanel] = useState<Panel | null>(null);
  const content = state.history.present;
  const problems = useMemo(
    () => locateProblems(state.problems, content.graph),
    [state.problems, content],
  );
  const steps = useMemo(() => (openRun.run ? stepViews(openRun.run) : noSteps), [openRun.run]);
  const select = (ids: Iterable<string>) => {
    const next = new Set(ids);
    setSelection(next);
    const [first] = next;
    const isStep = next.size === 1 && editor.content.graph.nodes.some((node) => node.id === first);
    if (isStep) setPanel('step');
  };
  return {
    workflows,
    editor,
    kinds,
    state,
    content,
    problems,
    run,
    steps,
    narrow,
    selection,
    select,
    panel,
    open: setPanel,
  };
}

/** Stores pending changes before the page closes, or makes the browser ask. */
function useUnsavedWarning(editor: WorkflowEditor): void {
  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => {
      if (editor.isSaved()) return;
      void editor.save();
      event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave);
    return () => {
      window.removeEventListener('beforeunload', onLeave);
      void editor.save();
    };
  }, [editor]);
}
