import { CopyButton } from '@mantine/core';
import { IconCheck, IconCopy, IconGitBranch, IconPencil, IconRefresh } from '@tabler/icons-react';
import { useDeferredValue } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import type {
  ConversationState,
  Draft,
  PlacedMessage,
} from '../../state/chat/conversation-state.ts';
import { attachmentsOf } from '../../state/chat/attachments.ts';
import { isRunning } from '../../state/chat/turn.ts';
import { textOf } from '../../state/chat/message-text.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { IconAction } from '../frame/icon-action.tsx';
import { useAction } from '../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { usePacedPart, usePart } from '../../core/store.ts';
import { AnswerUsage } from './answer-usage.tsx';
import { useOpenConversation } from './open-conversation.ts';
import { VersionPicker } from './version-picker.tsx';

interface MessageActionsProps {
  message: PlacedMessage;
  index: number;
  isLast: boolean;
  conversation: Conversation;
}

/** Shows the actions of a message; hidden while an answer is being written. */
export function MessageActions(props: MessageActionsProps) {
  // Deferred after the messages and split between frames, since there are as many as messages.
  const isMounted = useDeferredValue(true, false);
  return isMounted ? <Actions {...props} /> : <div className="message-actions" />;
}

const isWriting = ({ turn }: ConversationState): boolean => turn !== null && isRunning(turn);

function Actions({ message, index, isLast, conversation }: MessageActionsProps) {
  const { t } = useTranslation();
  const { chats } = useShell();
  const open = useOpenConversation();
  const id = usePart(conversation.state, (state) => state.id);
  // One for each message, so also split between frames.
  const writing = usePacedPart(conversation.state, isWriting);
  const action = useAction();
  const off = action.busy || writing;
  const branch = async (messageIndex: number, draft?: Draft) => {
    const forkId = messageIndex < 0 || id === null ? null : await chats.fork(id, messageIndex);
    const fork = open(forkId);
    if (draft) fork.draft.set(draft);
  };
  const text = textOf(message.content);
  const carried = { conversationId: id ?? '', imageName: t('chat.image') };
  const written = { text, attachments: attachmentsOf(message, carried) };
  return (
    <>
      <div className="message-foot">
        <VersionPicker message={message} conversation={conversation} disabled={off} />
        <div className="message-actions">
          <CopyAction text={text} />
          {message.role === 'user' && (
            <IconAction
              icon={IconPencil}
              label={t('chat.edit')}
              disabled={off}
              onClick={() => void action.run(() => branch(index - 1, written))}
            />
          )}
          {message.role === 'assistant' && (
            <IconAction
              icon={IconGitBranch}
              label={t('chat.branch')}
              disabled={off}
              onClick={() => void action.run(() => branch(index))}
            />
          )}
          {isLast && (
            <IconAction
              icon={IconRefresh}
              label={t('chat.retry')}
              disabled={off}
              onClick={() => void action.run(() => conversation.retry())}
            />
          )}
          {message.role === 'assistant' && <AnswerUsage {...message} />}
        </div>
      </div>
      {action.error !== null && <ErrorAlert error={action.error} />}
    </>
  );
}

function CopyAction({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <IconAction
          icon={copied ? IconCheck : IconCopy}
          label={t(copied ? 'action.copied' : 'action.copy')}
          onClick={copy}
        />
      )}
    </CopyButton>
  );
}
