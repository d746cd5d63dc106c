import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import { useTitle } from '../../ui/frame/window-title.ts';
import { useShell } from '../../state/shell.ts';
import { usePart, useStore } from '../../core/store.ts';
import { ConversationMenu } from './conversation-menu.tsx';

interface ConversationToolbarProps {
  conversation: Conversation;
  narrow: boolean;
}

export function ConversationToolbar({ conversation, narrow }: ConversationToolbarProps) {
  const { t } = useTranslation();
  const { chats, route } = useShell();
  const id = usePart(conversation.state, (state) => state.id);
  const title = usePart(conversation.state, (state) => state.title);
  const parentId = usePart(conversation.state, (state) => state.parentId);
  const { items } = useStore(chats.list.state);
  const listedTitle = items.find((summary) => summary.id === id)?.title;
  const name = id === null ? null : (listedTitle ?? title);
  useTitle(name);
  return (
    <header className="toolbar">
      {narrow && <ShowListButton label={t('chat.showList')} />}
      <h1 className="untrusted">{name ?? t('chat.new')}</h1>
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
      <ConversationMenu conversation={conversation} title={listedTitle ?? title} />
    </header>
  );
}
