import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../chat/conversation.ts';
import { isRunning } from '../../chat/turn.ts';
import { ErrorNote } from '../../frame/error-note.tsx';
import { useAction } from '../../frame/use-action.ts';
import { useStore } from '../../store.ts';
import { AnswerParts } from './answer-parts.tsx';
import { MessageView } from './message-view.tsx';
import { QuestionCard } from './question-card.tsx';
import { useStickyScroll } from './use-sticky-scroll.ts';

interface MessageListProps {
  conversation: Conversation;
  /** What comes after the last message. */
  children: ReactNode;
}

/** What was said, and the answer that is being written. It keeps to its end while the reader is there. */
export function MessageList({ conversation, children }: MessageListProps) {
  const { t } = useTranslation();
  const { messages, firstIndex, turn } = useStore(conversation.state);
  const earlier = useAction();
  const running = turn !== null && isRunning(turn);
  const scroll = useStickyScroll(firstIndex, running);
  return (
    <div className="messages" ref={scroll} tabIndex={0} role="log" aria-label={t('chat.messages')}>
      <div className="messages-body">
        {firstIndex > 0 && (
          <Button
            variant="subtle"
            size="xs"
            loading={earlier.busy}
            onClick={() => void earlier.run(() => conversation.loadEarlier())}
          >
            {t('chat.earlier', { count: firstIndex })}
          </Button>
        )}
        {earlier.error !== null && <ErrorNote error={earlier.error} />}
        {messages.map((message, at) => (
          <MessageView
            key={firstIndex + at}
            message={message}
            index={firstIndex + at}
            isLast={at === messages.length - 1}
            conversation={conversation}
          />
        ))}
        {turn && running && (
          <article className="message" data-role="assistant" aria-busy>
            <AnswerParts parts={turn.parts} turn={turn} conversation={conversation} />
            {turn.question && (
              <QuestionCard
                key={turn.question.id}
                question={turn.question}
                conversation={conversation}
              />
            )}
            {turn.state === 'running' && <p className="writing">{t('chat.writing')}</p>}
          </article>
        )}
        {children}
      </div>
    </div>
  );
}
