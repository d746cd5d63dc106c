import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenRun } from '../../state/agent/agent-run.ts';
import type { FlowBook } from '../../state/flows/flow-book.ts';
import type { FlowEditor } from '../../state/flows/flow-editor.ts';
import type { NodeKinds } from '../../state/flows/node-kinds.ts';
import { placed } from '../../state/flows/problems.ts';
import { stepViews } from '../../state/flows/run-view.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import type { Watched } from '../../core/store.ts';
import { useStore } from '../../core/store.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { FlowCanvas } from './flow-canvas.tsx';
import type { Flow, Panel } from './flow-context.ts';
import { FlowContext } from './flow-context.ts';
import { FlowDetails } from './flow-details.tsx';
import { FlowToolbar } from './flow-toolbar.tsx';
import { NodePalette } from './node-palette.tsx';
import { ProblemBar } from './problem-bar.tsx';

interface FlowWorkspaceProps {
  book: FlowBook;
  editor: FlowEditor;
  kinds: NodeKinds;
  narrow: boolean;
}

const noRun: Watched<OpenRun> = {
  get: () => nothing,
  subscribe: () => () => undefined,
};
const nothing: OpenRun = { kind: 'loading', run: null, error: null };
const noSteps: Flow['steps'] = new Map();

export function FlowWorkspace(props: FlowWorkspaceProps) {
  const { narrow, editor } = props;
  const { t } = useTranslation();
  const flow = useOpenFlow(props);
  const [paletteOpen, setPaletteOpen] = useState(!narrow);
  const { saving, error } = flow.state;
  useUnsavedWarning(editor);
  return (
    <FlowContext value={flow}>
      <ReactFlowProvider>
        <main className="content">
          <FlowToolbar paletteOpen={paletteOpen} setPaletteOpen={setPaletteOpen} />
          {saving === 'failed' && error !== null && (
            <div className="content-note">
              <ErrorNote
                title={t('flows.notSaved')}
                error={error}
                onRetry={() => void editor.save()}
              />
            </div>
          )}
          <div className="flow-row">
            {paletteOpen && !(narrow && flow.panel !== null) && (
              <NodePalette onClose={() => setPaletteOpen(false)} />
            )}
            <div className="flow-place">
              <FlowCanvas />
              {flow.state.workflow.edit && (
                <p className="flow-beside" role="status">
                  {t('flows.beside')}
                </p>
              )}
              <ProblemBar />
            </div>
          </div>
        </main>
        {flow.panel !== null && <FlowDetails />}
        <ConflictDialog />
      </ReactFlowProvider>
    </FlowContext>
  );
}

function useOpenFlow({ book, editor, kinds, narrow }: FlowWorkspaceProps): Flow {
  const state = useStore(editor.state);
  const { id } = state.workflow;
  const run = useStore(book.runOf(id));
  const openRun = useStore(run?.state ?? noRun);
  useEffect(() => run?.look(), [run]);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [panel, setPanel] = useState<Panel | null>(null);
  const content = state.history.present;
  const problems = useMemo(() => placed(state.problems, content.graph), [state.problems, content]);
  const steps = useMemo(() => (openRun.run ? stepViews(openRun.run) : noSteps), [openRun.run]);
  const select = (ids: Iterable<string>) => {
    const next = new Set(ids);
    setSelection(next);
    const [first] = next;
    const isStep = next.size === 1 && editor.content.graph.nodes.some((node) => node.id === first);
    if (isStep) setPanel('step');
  };
  return {
    book,
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

/** What is not stored yet is stored before the page goes, or the browser asks. */
function useUnsavedWarning(editor: FlowEditor): void {
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
