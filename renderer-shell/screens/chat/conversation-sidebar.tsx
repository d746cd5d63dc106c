import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../frame/error-note.tsx';
import { ListPane } from '../../frame/list-pane.tsx';
import { useAction } from '../../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../store.ts';
import { ConversationRow } from './conversation-row.tsx';

const typingMs = 200;

interface ConversationSidebarProps {
  chosenId: string | null;
  hidden: boolean;
}

export function ConversationSidebar({ chosenId, hidden }: ConversationSidebarProps) {
  const { t } = useTranslation();
  const { chats, route, view } = useShell();
  const [query, setQuery] = useState(() => chats.list.state.get().query);
  const search = useDebouncedCallback((text: string) => void chats.list.search(text), typingMs);
  useEffect(() => void chats.list.refresh(), [chats]);

  const begin = () => {
    route.go({ area: 'chat', id: null });
    view.patch({ listOpen: false });
  };
  return (
    <ListPane
      title={t('chat.title')}
      hidden={hidden}
      search={{
        label: t('chat.search'),
        value: query,
        onChange: (text) => {
          setQuery(text);
          search(text);
        },
      }}
      action={
        <Tooltip label={t('chat.new')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('chat.new')} onClick={begin}>
            <IconPlus size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      }
    >
      <ConversationRows chosenId={chosenId} />
    </ListPane>
  );
}

function ConversationRows({ chosenId }: { chosenId: string | null }) {
  const { t } = useTranslation();
  const { chats } = useShell();
  const { kind, query, items, hasMore, error, atMs } = useStore(chats.list.state);
  const action = useAction();
  if (kind === 'loading') return <Skeleton className="late" height={120} m="sm" w="auto" />;
  if (kind === 'failed') {
    return (
      <div className="list-note">
        <ErrorNote error={error} onRetry={() => void chats.list.refresh()} />
      </div>
    );
  }
  if (items.length === 0) {
    return (
      <p className="list-note">
        {query.trim() === '' ? t('chat.none') : t('chat.noneFound', { query })}
      </p>
    );
  }
  return (
    <ul className="rows">
      {items.map((summary) => (
        <ConversationRow
          key={summary.id}
          summary={summary}
          nowMs={atMs}
          chosen={summary.id === chosenId}
        />
      ))}
      {hasMore && (
        <li>
          <Button
            variant="subtle"
            size="xs"
            fullWidth
            loading={action.busy}
            onClick={() => void action.run(() => chats.list.more())}
          >
            {t('chat.older')}
          </Button>
        </li>
      )}
    </ul>
  );
}
