import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../chat/conversation.ts';
import { ErrorNote } from '../../frame/error-note.tsx';
import { useStore } from '../../store.ts';
import { Composer } from './composer.tsx';
import { ConversationToolbar } from './conversation-toolbar.tsx';
import { ModelNotice } from './model-notice.tsx';
import { TurnEnd } from './turn-end.tsx';
import { MessageList } from './message-list.tsx';

interface ConversationViewProps {
  conversation: Conversation;
  narrow: boolean;
}

export function ConversationView({ conversation, narrow }: ConversationViewProps) {
  const { t } = useTranslation();
  const { kind, messages, turn, error } = useStore(conversation.state);
  const isEmpty = kind === 'ready' && messages.length === 0 && turn === null;
  return (
    <main className="content chat" aria-label={t('chat.conversation')}>
      <ConversationToolbar conversation={conversation} narrow={narrow} />
      {kind === 'loading' && <Skeleton className="late" height={160} m="md" w="auto" />}
      {kind === 'failed' && (
        <div className="content-note">
          <ErrorNote error={error} onRetry={() => void conversation.load()} />
        </div>
      )}
      {isEmpty && (
        <div className="chat-begin">
          <h2>{t('chat.begin')}</h2>
          <p>{t('chat.beginText')}</p>
        </div>
      )}
      {kind === 'ready' && !isEmpty && (
        <MessageList conversation={conversation}>
          <TurnEnd conversation={conversation} />
        </MessageList>
      )}
      {kind === 'ready' && (
        <div className="chat-foot">
          <ModelNotice />
          {error !== null && <ErrorNote error={error} />}
          <Composer conversation={conversation} />
        </div>
      )}
    </main>
  );
}
