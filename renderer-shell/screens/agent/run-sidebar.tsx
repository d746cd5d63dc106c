import { useCallback } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { isOver } from '../../state/agent/run-state.ts';
import { noFilter, runsOf } from '../../state/agent/runs.ts';
import type { RunSummary } from '../../../service/contract/index.ts';
import { SearchedPane, SearchedRows } from '../../ui/frame/searched-pane.tsx';
import { usePolling } from '../../ui/frame/use-polling.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { AgentMore } from './agent-more.tsx';
import { RunFilters } from './run-filters.tsx';
import { RunRow } from './run-row.tsx';

/** Polling intervals of the list while something runs, and otherwise, in milliseconds. */
const pollMs = { busy: 3_000, calm: 20_000 };

interface RunSidebarProps {
  chosenId: string | null;
  hidden: boolean;
}

export function RunSidebar({ chosenId, hidden }: RunSidebarProps) {
  const { t } = useTranslation();
  const shell = useShell();
  const { list, filter } = runsOf(shell);
  const isFiltered = useStore(filter) !== noFilter;
  const { items } = useStore(list.state);
  const refresh = useCallback(() => void list.refresh(), [list]);
  usePolling(refresh, items.every(isOver) ? pollMs.calm : pollMs.busy);
  return (
    <SearchedPane
      list={list}
      hidden={hidden}
      labels={{ title: t('agent.title'), search: t('agent.search'), create: t('agent.new') }}
      onCreate={() => shell.route.go({ area: 'agent', id: null })}
    >
      <RunFilters />
      <SearchedRows
        list={list}
        idOf={idOf}
        row={(run, nowMs) => <RunRow run={run} nowMs={nowMs} chosen={run.runId === chosenId} />}
        labels={{
          none: t(isFiltered ? 'agent.filter.none' : 'agent.none'),
          noneFound: (query) => t('agent.noneFound', { query }),
          older: t('agent.older'),
        }}
      />
      <AgentMore chosenId={chosenId} />
    </SearchedPane>
  );
}

const idOf = ({ runId }: RunSummary) => runId;
