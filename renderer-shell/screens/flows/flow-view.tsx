import { Skeleton } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { FlowBook } from '../../state/flows/flow-book.ts';
import { spokenKinds } from '../../state/flows/host-words.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useStore } from '../../core/store.ts';
import { FlowWorkspace } from './flow-workspace.tsx';

interface FlowViewProps {
  book: FlowBook;
  workflowId: string;
  narrow: boolean;
}

/** One workflow, from the moment that it and the kinds of nodes are known. */
export function FlowView({ book, workflowId, narrow }: FlowViewProps) {
  const { t } = useTranslation();
  const load = useCallback(() => book.open(workflowId), [book, workflowId]);
  const { state, refresh } = useLoaded(load);
  const kinds = useStore(book.kinds);
  const spoken = useMemo(
    () => (kinds.kind === 'ready' ? spokenKinds(kinds.value, t) : null),
    [kinds, t],
  );
  const failed = state.kind === 'failed' ? state : kinds.kind === 'failed' ? kinds : null;
  const retry = () => {
    void book.refreshKinds();
    refresh();
  };
  if (state.kind === 'ready' && spoken)
    return <FlowWorkspace book={book} narrow={narrow} editor={state.value} kinds={spoken} />;
  return (
    <main className="content">
      {narrow && (
        <header className="toolbar">
          <ShowListButton label={t('flows.showList')} />
        </header>
      )}
      {failed ? (
        <div className="content-note">
          <ErrorNote error={failed.error} onRetry={retry} />
        </div>
      ) : (
        <Skeleton className="late" height={240} m="md" w="auto" />
      )}
    </main>
  );
}
