import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isOver } from '../../agent/run-state.ts';
import { runsOf } from '../../agent/runs.ts';
import { ErrorNote } from '../../frame/error-note.tsx';
import { ListPane } from '../../frame/list-pane.tsx';
import { useAction } from '../../frame/use-action.ts';
import { usePolling } from '../../frame/use-polling.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../store.ts';
import { AgentMore } from './agent-more.tsx';
import { RunRow } from './run-row.tsx';

const typingMs = 200;
/** How often the list is read: while something runs, and else. */
const pollMs = { busy: 3_000, calm: 20_000 };

interface RunSidebarProps {
  chosenId: string | null;
  hidden: boolean;
}

export function RunSidebar({ chosenId, hidden }: RunSidebarProps) {
  const { t } = useTranslation();
  const shell = useShell();
  const { route, view } = shell;
  const { list } = runsOf(shell);
  const { query: searched, items } = useStore(list.state);
  const [query, setQuery] = useState(searched);
  const search = useDebouncedCallback((text: string) => void list.search(text), typingMs);
  const refresh = useCallback(() => void list.refresh(), [list]);
  useEffect(refresh, [refresh]);
  usePolling(refresh, items.every(isOver) ? pollMs.calm : pollMs.busy);

  const begin = () => {
    route.go({ area: 'agent', id: null });
    view.patch({ listOpen: false });
  };
  return (
    <ListPane
      title={t('agent.title')}
      hidden={hidden}
      search={{
        label: t('agent.search'),
        value: query,
        onChange: (text) => {
          setQuery(text);
          search(text);
        },
      }}
      action={
        <Tooltip label={t('agent.new')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('agent.new')} onClick={begin}>
            <IconPlus size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      }
    >
      <RunRows chosenId={chosenId} />
      <AgentMore chosenId={chosenId} />
    </ListPane>
  );
}

function RunRows({ chosenId }: { chosenId: string | null }) {
  const { t } = useTranslation();
  const { list } = runsOf(useShell());
  const { kind, query, items, hasMore, error, atMs } = useStore(list.state);
  const action = useAction();
  if (kind === 'loading') return <Skeleton className="late" height={120} m="sm" w="auto" />;
  if (kind === 'failed') {
    return (
      <div className="list-note">
        <ErrorNote error={error} onRetry={() => void list.refresh()} />
      </div>
    );
  }
  if (items.length === 0) {
    return (
      <p className="list-note">
        {query.trim() === '' ? t('agent.none') : t('agent.noneFound', { query })}
      </p>
    );
  }
  return (
    <ul className="rows">
      {items.map((run) => (
        <RunRow key={run.runId} run={run} nowMs={atMs} chosen={run.runId === chosenId} />
      ))}
      {hasMore && (
        <li>
          <Button
            variant="subtle"
            size="xs"
            fullWidth
            loading={action.busy}
            onClick={() => void action.run(() => list.more())}
          >
            {t('agent.older')}
          </Button>
        </li>
      )}
      {action.error !== null && (
        <li>
          <ErrorNote error={action.error} />
        </li>
      )}
    </ul>
  );
}
