import { useCallback } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ConversationSummary } from '../../../service/contract/index.ts';
import { SearchedPane, SearchedRows } from '../../ui/frame/searched-pane.tsx';
import { usePolling } from '../../ui/frame/use-polling.ts';
import { useShell } from '../../state/shell.ts';
import { ListFilterField } from './list-filter.tsx';
import { ConversationRow } from './conversation-row.tsx';

/** Interval in milliseconds to detect a turn that another window started. */
const pollMs = 3_000;

interface ConversationSidebarProps {
  chosenId: string | null;
  hidden: boolean;
}

export function ConversationSidebar({ chosenId, hidden }: ConversationSidebarProps) {
  const { t } = useTranslation();
  const { chats, route } = useShell();
  const refresh = useCallback(() => void chats.list.refresh(), [chats]);
  usePolling(refresh, pollMs);
  return (
    <SearchedPane
      list={chats.list}
      hidden={hidden}
      labels={{ title: t('chat.title'), search: t('chat.search'), create: t('chat.new') }}
      onCreate={() => route.go({ area: 'chat', id: null })}
    >
      <ListFilterField />
      <SearchedRows
        list={chats.list}
        idOf={idOf}
        row={(summary, nowMs) => (
          <ConversationRow summary={summary} nowMs={nowMs} chosen={summary.id === chosenId} />
        )}
        labels={{
          none: t('chat.none'),
          noneFound: (query) => t('chat.noneFound', { query }),
          older: t('chat.older'),
        }}
      />
    </SearchedPane>
  );
}

const idOf = ({ id }: ConversationSummary) => id;
