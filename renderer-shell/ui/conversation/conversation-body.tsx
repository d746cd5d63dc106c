import './composer.css';
import { Skeleton } from '@mantine/core';
import type { DragEvent } from 'react';
import type { Conversation } from '../../state/chat/conversation.ts';
import type { ConversationState } from '../../state/chat/conversation-state.ts';
import { takesFiles } from '../frame/drop-target.tsx';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { usePart } from '../../core/store.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { ModelSetupAlert } from './model-setup-alert.tsx';
import { TurnEnd } from './turn-end.tsx';
import { useAttaching } from './use-attaching.ts';

interface ConversationBodyProps {
  conversation: Conversation;
  /** Texts for a conversation without messages. */
  emptyState: { title: string; text: string };
}

const isBlank = ({ kind, messages, turn }: ConversationState): boolean =>
  kind === 'ready' && messages.length === 0 && turn === null;

/** Shows the messages and the message input. */
export function ConversationBody({ conversation, emptyState }: ConversationBodyProps) {
  const kind = usePart(conversation.state, (state) => state.kind);
  const error = usePart(conversation.state, (state) => state.error);
  const hasOwnModel = usePart(conversation.details, ({ model }) => model !== undefined);
  const isEmpty = usePart(conversation.state, isBlank);
  const attaching = useAttaching(conversation);
  const onDrop = (event: DragEvent) => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    void attaching.add(files);
  };
  return (
    <div {...takesFiles} className="chat-area" onDrop={onDrop}>
      {kind === 'loading' && <Skeleton className="late" height={160} m="md" w="auto" />}
      {kind === 'failed' && (
        <div className="content-note">
          <ErrorAlert error={error} onRetry={() => void conversation.load()} />
        </div>
      )}
      {isEmpty && (
        <div className="chat-begin">
          <h2>{emptyState.title}</h2>
          <p>{emptyState.text}</p>
        </div>
      )}
      {kind === 'ready' && !isEmpty && (
        <MessageList conversation={conversation}>
          <TurnEnd conversation={conversation} />
        </MessageList>
      )}
      {kind === 'ready' && (
        <div className="chat-foot">
          {!hasOwnModel && <ModelSetupAlert />}
          {error !== null && <ErrorAlert error={error} />}
          <Composer conversation={conversation} attaching={attaching} />
        </div>
      )}
    </div>
  );
}
