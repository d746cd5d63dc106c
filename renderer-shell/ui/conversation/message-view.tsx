import { IconServer2 } from '@tabler/icons-react';
import { memo, useDeferredValue, useMemo } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import type { ConversationState, PlacedMessage } from '../../state/chat/conversation-state.ts';
import { textOf } from '../../state/chat/message-text.ts';
import type { DisplayedPart, Turn } from '../../state/chat/turn.ts';
import { usePacedPart } from '../../core/store.ts';
import type { ChatMessage } from '../../../service/contract/index.ts';
import { AnswerOutcome } from './answer-outcome.tsx';
import { AnswerParts } from './answer-parts.tsx';
import { AttachedFiles } from './attached-files.tsx';
import { MessageActions } from './message-actions.tsx';
import { QuestionCard } from './question-card.tsx';

/** Null stands for the answer in progress. */
export type DisplayedMessage = PlacedMessage | null;

interface MessageViewProps {
  message: DisplayedMessage;
  /** Position in the conversation. */
  index: number;
  isLast: boolean;
  conversation: Conversation;
}

/** A finished answer keeps its element in the page, so that its text is not inserted again. */
export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { t } = useTranslation();
  const { message, conversation } = props;
  const role = message?.role ?? 'assistant';
  return (
    <article
      className="message"
      data-role={role}
      data-last={props.isLast}
      aria-label={t(`chat.role.${role}`)}
      aria-busy={message === null || undefined}
    >
      {message === null || message.role === 'assistant' ? (
        <Answer message={message} conversation={conversation} />
      ) : (
        <UserMessage message={message} conversation={conversation} />
      )}
      {message?.outcome && (
        <AnswerOutcome
          outcome={message.outcome}
          isLast={props.isLast}
          conversation={conversation}
        />
      )}
      {message !== null && <MessageActions {...props} message={message} />}
    </article>
  );
});

type AnswerProps = Pick<MessageViewProps, 'message' | 'conversation'>;

const turnOf = ({ turn }: ConversationState): Turn | null => turn;
const noTurn = (): null => null;

function Answer({ message, conversation }: AnswerProps) {
  const { t } = useTranslation();
  const live = usePacedPart(conversation.state, message === null ? turnOf : noTurn);
  // The remaining text of an ended answer is rendered like before, with time for frames.
  const { turn, parts } = useDeferredValue(
    useMemo(() => (message === null ? liveAnswer(live) : storedAnswer(message)), [message, live]),
  );
  const question = turn?.question;
  return (
    <>
      <AnswerParts parts={parts} {...(turn && { turn, conversation })} />
      {question && (
        <QuestionCard key={question.id} question={question} conversation={conversation} />
      )}
      {turn?.state === 'running' && <p className="writing">{t('chat.writing')}</p>}
    </>
  );
}

interface DisplayedAnswer {
  turn: Turn | null;
  parts: readonly DisplayedPart[];
}

const liveAnswer = (turn: Turn | null): DisplayedAnswer => ({ turn, parts: turn?.parts ?? [] });

const storedAnswer = ({ parts, content }: ChatMessage): DisplayedAnswer => ({
  turn: null,
  parts: parts ?? [{ type: 'text', text: textOf(content) }],
});

interface UserMessageProps {
  message: ChatMessage;
  conversation: Conversation;
}

/** Shows a user message as it was typed. */
function UserMessage({ message, conversation }: UserMessageProps) {
  const { t } = useTranslation();
  const { content, attachments = [] } = message;
  const parts = typeof content === 'string' ? [] : content;
  const resources = parts.filter((part) => part.type === 'resource');
  return (
    <div className="said">
      <p className="untrusted">{textOf(content)}</p>
      {parts.map((part, index) => {
        if (part.type === 'text' || part.data === undefined) return null;
        const alt =
          part.type === 'image' ? t('chat.image') : t('chat.imageNamed', { name: part.name });
        return <img key={index} src={`data:${part.mimeType};base64,${part.data}`} alt={alt} />;
      })}
      <AttachedFiles attachments={attachments} conversation={conversation} />
      {resources.length > 0 && (
        <ul className="attachments" aria-label={t('chat.resources.attached')}>
          {resources.map(({ name, server, uri }, index) => (
            <li key={index} title={uri}>
              <IconServer2 size={14} aria-hidden />
              <span className="untrusted">{name}</span>
              <span className="quiet untrusted">{server}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
