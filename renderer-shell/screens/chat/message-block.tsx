import { memo } from 'react';
import type { ChatMessage } from '../../../service/contract/index.ts';
import type { Conversation } from '../../chat/conversation.ts';
import { MessageView } from './message-view.tsx';
import { useAway } from './use-away.ts';

interface MessageBlockProps {
  messages: readonly ChatMessage[];
  /** Position of the first of them in the conversation. */
  firstIndex: number;
  /** Whether the last of them is the last of the conversation. */
  isLast: boolean;
  conversation: Conversation;
  /** Whether it goes while it is far from what is seen, and whether it begins so. */
  away: { may: boolean; begins: boolean };
}

/** Of a message of ordinary length, with what lies between two; in pixels. */
const likelyHeight = 120;

/** Some messages that follow each other. Far from what is seen only their place is left of them. */
export const MessageBlock = memo(
  function MessageBlock(props: MessageBlockProps) {
    const { messages, firstIndex, isLast, conversation, away } = props;
    const place = useAway(away, messages.length * likelyHeight);
    return (
      <div
        ref={place.ref}
        className="message-block"
        style={place.height === null ? undefined : { height: place.height }}
      >
        {place.height === null &&
          messages.map((message, at) => (
            <MessageView
              key={firstIndex + at}
              message={message}
              index={firstIndex + at}
              isLast={isLast && at === messages.length - 1}
              conversation={conversation}
            />
          ))}
      </div>
    );
  },
  (before, now) =>
    before.isLast === now.isLast &&
    before.conversation === now.conversation &&
    before.away.may === now.away.may &&
    before.messages.length === now.messages.length &&
    before.messages.every((message, at) => message === now.messages[at]),
);
