import { IconServer2 } from '@tabler/icons-react';
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
    <article
      className="message"
      data-role={role}
      data-last={props.isLast}
      aria-label={t(`chat.role.${role}`)}
    >
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
