import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ChatMessage } from '../../../service/contract/index.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { textOf } from '../../state/chat/message-text.ts';
import { isRunning } from '../../state/chat/turn.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { useAction } from '../frame/use-action.ts';
import { usePart } from '../../core/store.ts';
import { MessageBlock } from './message-block.tsx';
import type { DisplayedMessage } from './message-view.tsx';
import { useStickyScroll } from './use-sticky-scroll.ts';

/** Number of messages that are mounted and unmounted together while scrolling. */
const blockSize = 10;
/** Up to this number all messages stay mounted, unless they have much text. */
const maxMounted = 200;
/** Limit in characters; above it, distant messages are unmounted even if there are few. */
const maxMountedText = 30_000;
/** The last messages are mounted from the beginning, since they are visible first. */
const initiallyMounted = 50;

interface MessageListProps {
  conversation: Conversation;
  /** Shown after the last message. */
  children: ReactNode;
}

/**
 * Shows the messages and the answer in progress. It stays scrolled to its end while the reader is
 * there.
 */
export function MessageList({ conversation, children }: MessageListProps) {
  const { t } = useTranslation();
  const { state } = conversation;
  const messages = usePart(state, (now) => now.messages);
  const firstIndex = usePart(state, (now) => now.firstIndex);
  const running = usePart(state, ({ turn }) => turn !== null && isRunning(turn));
  const earlier = useAction();
  const { ref, isAway, goToEnd } = useStickyScroll(firstIndex, running);
  const blocks = useMemo(
    () => blocksOf(running ? [...messages, null] : messages, firstIndex),
    [messages, firstIndex, running],
  );
  const canUnmount = useMemo(() => isTooLong(messages), [messages]);
  const end = firstIndex + messages.length;
  return (
    <div className="messages" ref={ref} tabIndex={0} role="log" aria-label={t('chat.messages')}>
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
        {earlier.error !== null && <ErrorAlert error={earlier.error} />}
        {blocks.map((block) => (
          <MessageBlock
            key={block.key}
            messages={block.messages}
            firstIndex={block.firstIndex}
            lastIndex={end - 1}
            conversation={conversation}
            away={{ may: canUnmount, begins: block.firstIndex < end - initiallyMounted }}
          />
        ))}
        {children}
      </div>
      {isAway && (
        <div className="jump-to-newest">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowDown size={14} aria-hidden />}
            onClick={goToEnd}
          >
            {t('chat.newest')}
          </Button>
        </div>
      )}
    </div>
  );
}

interface Block {
  key: number;
  firstIndex: number;
  messages: readonly DisplayedMessage[];
}

/** Blocks start at the same messages, however many earlier ones are loaded. */
function blocksOf(messages: readonly DisplayedMessage[], firstIndex: number): Block[] {
  const blocks: Block[] = [];
  const end = firstIndex + messages.length;
  for (let from = firstIndex; from < end;) {
    const key = Math.floor(from / blockSize);
    const to = Math.min(end, (key + 1) * blockSize);
    const blockMessages = messages.slice(from - firstIndex, to - firstIndex);
    blocks.push({ key, firstIndex: from, messages: blockMessages });
    from = to;
  }
  return blocks;
}

function isTooLong(messages: readonly ChatMessage[]): boolean {
  if (messages.length > maxMounted) return true;
  let length = 0;
  for (const { content } of messages) length += textOf(content).length;
  return length > maxMountedText;
}
