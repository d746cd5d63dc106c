import { memo } from 'react';
import type { Conversation } from '../../state/chat/conversation.ts';
import { textOf } from '../../state/chat/message-text.ts';
import type { DisplayedMessage } from './message-view.tsx';
import { MessageView } from './message-view.tsx';
import { useOffscreenPlaceholder } from '../markdown/use-offscreen-placeholder.ts';

interface MessageBlockProps {
  messages: readonly DisplayedMessage[];
  /** Position of the first message of the block in the conversation. */
  firstIndex: number;
  /** Position of the last message of the conversation; an answer in progress comes after it. */
  lastIndex: number;
  conversation: Conversation;
  /**
   * `may` is true if the block is replaced by a placeholder when it is far out of view, `begins` if
   * it starts that way.
   */
  away: { may: boolean; begins: boolean };
}

/** Estimated height of a message with its margin, in pixels. */
const estimatedHeight = 120;

/**
 * Consecutive messages. Far out of view only their text stays, so that the browser's search finds
 * it.
 */
export const MessageBlock = memo(
  function MessageBlock(props: MessageBlockProps) {
    const { messages, firstIndex, lastIndex, conversation, away } = props;
    const placeholder = useOffscreenPlaceholder(away, messages.length * estimatedHeight);
    if (placeholder.height !== null)
      return (
        <div
          ref={placeholder.ref}
          className="message-block"
          data-away
          style={{ height: placeholder.height }}
        >
          {/* Not joined, which would copy each text once more. */}
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

/** Returns the index of the conversation's last message in the block, or null. */
const lastOf = ({ messages, firstIndex, lastIndex }: MessageBlockProps): number | null =>
  lastIndex < firstIndex + messages.length ? lastIndex : null;
