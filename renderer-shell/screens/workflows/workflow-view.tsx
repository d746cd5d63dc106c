import { Skeleton } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Workflows } from '../../state/workflows/workflows.ts';
import { localizeKinds } from '../../state/workflows/localize-kinds.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useStore } from '../../core/store.ts';
import { WorkflowWorkspace } from './workflow-workspace.tsx';

interface WorkflowViewProps {
  workflows: Workflows;
  workflowId: string;
  narrow: boolean;
}

/** Shows one workflow once it and the node types are loaded. */
export function WorkflowView({ workflows, workflowId, narrow }: WorkflowViewProps) {
  const { t } = useTranslation();
  const load = useCallback(() => workflows.open(workflowId), [workflows, workflowId]);
  const { state, refresh } = useLoaded(load);
  const kinds = useStore(workflows.kinds);
  const localized = useMemo(
    () => (kinds.kind === 'ready' ? localizeKinds(kinds.value, t) : null),
    [kinds, t],
  );
  const failed = state.kind === 'failed' ? state : kinds.kind === 'failed' ? kinds : null;
  const retry = () => {
    void workflows.refreshKinds();
    refresh();
  };
  if (state.kind === 'ready' && localized)
    return (
      <WorkflowWorkspace
        workflows={workflows}
        narrow={narrow}
        editor={state.value}
        kinds={localized}
      />
    );
  return (
    <main className="content">
      {narrow && (
        <header className="toolbar">
          <ShowListButton label={t('flows.showList')} />
        </header>
      )}
      {failed ? (
        <div className="content-note">
          <ErrorAlert error={failed.error} onRetry={retry} />
        </div>
      ) : (
        <Skeleton className="late" height={240} m="md" w="auto" />
      )}
    </main>
  );
}
