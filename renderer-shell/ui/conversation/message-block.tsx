import { memo } from 'react';
import type { Conversation } from '../../state/chat/conversation.ts';
import { textOf } from '../../state/chat/message-text.ts';
import type { DisplayedMessage } from './message-view.tsx';
import { MessageView } from './message-view.tsx';
import { useOffscreenPlaceholder } from '../markdown/use-offscreen-placeholder.ts';

interface MessageBlockProps {
  messages: readonly DisplayedMessage[];
  /** Position of the first of them in the conversation. */
  firstIndex: number;
  /** Position of the last message of the conversation; the answer that is being written comes after it. */
  lastIndex: number;
  conversation: Conversation;
  /** Whether it goes while it is far from what is seen, and whether it begins so. */
  away: { may: boolean; begins: boolean };
}

/** Of a message of ordinary length, with what lies between two; in pixels. */
const likelyHeight = 120;

/** Some messages that follow each other. Far from what is seen their text is left, for the browser to find words in. */
export const MessageBlock = memo(
  function MessageBlock(props: MessageBlockProps) {
    const { messages, firstIndex, lastIndex, conversation, away } = props;
    const placeholder = useOffscreenPlaceholder(away, messages.length * likelyHeight);
    if (placeholder.height !== null)
      return (
        <div
          ref={placeholder.ref}
          className="message-block"
          data-away
          style={{ height: placeholder.height }}
        >
          {/* Not put together: that would keep each text once more. */}
          {messages.flatMap((message) => (message ? [textOf(message.content), '\n'] : []))}
        </div>
      );
    return (
      <div ref={placeholder.ref} className="message-block">
        {messages.map((message, at) => (
          <MessageView
            key={firstIndex + at}
            message={message}
            index={firstIndex + at}
            isLast={firstIndex + at === lastIndex}
            conversation={conversation}
          />
        ))}
      </div>
    );
  },
  (before, now) =>
    lastOf(before) === lastOf(now) &&
    before.conversation === now.conversation &&
    before.away.may === now.away.may &&
    before.messages.length === now.messages.length &&
    before.messages.every((message, at) => message === now.messages[at]),
);

/** Which of them is the last of the conversation. */
const lastOf = ({ messages, firstIndex, lastIndex }: MessageBlockProps): number | null =>
  lastIndex < firstIndex + messages.length ? lastIndex : null;
