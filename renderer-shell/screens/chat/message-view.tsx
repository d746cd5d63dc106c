import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../chat/conversation.ts';
import { textOf } from '../../chat/message-text.ts';
import type { ChatContent, ChatMessage } from '../../../service/contract/index.ts';
import { AnswerParts } from './answer-parts.tsx';
import { MessageActions } from './message-actions.tsx';

interface MessageViewProps {
  message: ChatMessage;
  /** Its position in the conversation. */
  index: number;
  isLast: boolean;
  conversation: Conversation;
}

export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { t } = useTranslation();
  const { message } = props;
  const { role, content } = message;
  return (
    <article className="message" data-role={role} aria-label={t(`chat.role.${role}`)}>
      {role === 'assistant' ? (
        <AnswerParts parts={message.parts ?? [{ type: 'text', text: textOf(content) }]} />
      ) : (
        <Said content={content} />
      )}
      <MessageActions {...props} />
    </article>
  );
});

/** What a person said, as they typed it. */
function Said({ content }: { content: ChatContent }) {
  const { t } = useTranslation();
  const images = imagesOf(content);
  return (
    <div className="said">
      <p className="untrusted">{textOf(content)}</p>
      {images.map(({ mimeType, data }, index) => (
        <img key={index} src={`data:${mimeType};base64,${data}`} alt={t('chat.image')} />
      ))}
    </div>
  );
}

const imagesOf = (content: ChatContent) =>
  typeof content === 'string' ? [] : content.filter((part) => part.type === 'image');
