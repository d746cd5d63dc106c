import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../chat/conversation.ts';
import { ShowListButton } from '../../frame/list-pane.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../store.ts';
import { ConversationMenu } from './conversation-menu.tsx';

interface ConversationToolbarProps {
  conversation: Conversation;
  narrow: boolean;
}

export function ConversationToolbar({ conversation, narrow }: ConversationToolbarProps) {
  const { t } = useTranslation();
  const { chats, route } = useShell();
  const { id, title, parentId } = useStore(conversation.state);
  const { items } = useStore(chats.list.state);
  const known = items.find((summary) => summary.id === id)?.title;
  return (
    <header className="toolbar">
      {narrow && <ShowListButton label={t('chat.showList')} />}
      <h1 className="untrusted">{id === null ? t('chat.new') : (known ?? title)}</h1>
      {parentId !== null && (
        <button
          type="button"
          className="link toolbar-version"
          onClick={() => route.go({ area: 'chat', id: parentId })}
        >
          {t('chat.branched')}
        </button>
      )}
      <span className="toolbar-gap" />
      {id !== null && <ConversationMenu id={id} title={known ?? title} />}
    </header>
  );
}
