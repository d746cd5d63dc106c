import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../state/chat/conversation.ts';
import { ConversationBody } from '../../ui/conversation/conversation-body.tsx';
import { ConversationToolbar } from './conversation-toolbar.tsx';

interface ConversationViewProps {
  conversation: Conversation;
  narrow: boolean;
}

export function ConversationView({ conversation, narrow }: ConversationViewProps) {
  const { t } = useTranslation();
  const emptyState = { title: t('chat.begin'), text: t('chat.beginText') };
  return (
    <main className="content chat" aria-label={t('chat.conversation')}>
      <ConversationToolbar conversation={conversation} narrow={narrow} />
      <ConversationBody conversation={conversation} emptyState={emptyState} />
    </main>
  );
}
