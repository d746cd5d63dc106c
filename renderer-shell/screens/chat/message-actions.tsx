import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconGitBranch, IconPencil, IconRefresh } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../chat/conversation.ts';
import type { Draft } from '../../chat/conversation.ts';
import { attachmentsOf } from '../../chat/attachments.ts';
import { textOf } from '../../chat/message-text.ts';
import type { ChatMessage } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../frame/error-note.tsx';
import { useAction } from '../../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../store.ts';

interface MessageActionsProps {
  message: ChatMessage;
  index: number;
  isLast: boolean;
  conversation: Conversation;
}

/** What can be done with a message; nothing of it while an answer is being written. */
export function MessageActions({ message, index, isLast, conversation }: MessageActionsProps) {
  const { t } = useTranslation();
  const { chats, route } = useShell();
  const { id, turn } = useStore(conversation.state);
  const action = useAction();
  const off = action.busy || (turn !== null && conversation.isRunning);
  const branch = async (messageIndex: number, draft?: Draft) => {
    const made = messageIndex < 0 || id === null ? null : await chats.fork(id, messageIndex);
    const fork = chats.of(made);
    if (draft) fork.draft.set(draft);
    route.go({ area: 'chat', id: made });
  };
  const text = textOf(message.content);
  const written = { text, attachments: attachmentsOf(message.content, t('chat.image')) };
  return (
    <>
      <div className="message-actions">
        <CopyAction text={text} />
        {message.role === 'user' && (
          <MessageAction
            {...{ icon: IconPencil, label: t('chat.edit'), disabled: off }}
            onClick={() => void action.run(() => branch(index - 1, written))}
          />
        )}
        {message.role === 'assistant' && (
          <MessageAction
            {...{ icon: IconGitBranch, label: t('chat.branch'), disabled: off }}
            onClick={() => void action.run(() => branch(index))}
          />
        )}
        {isLast && (
          <MessageAction
            {...{ icon: IconRefresh, label: t('chat.retry'), disabled: off }}
            onClick={() => void action.run(() => conversation.retry())}
          />
        )}
      </div>
      {action.error !== null && <ErrorNote error={action.error} />}
    </>
  );
}

interface MessageActionProps {
  icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

function MessageAction({ icon: Icon, label, disabled = false, onClick }: MessageActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
      >
        <Icon size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function CopyAction({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <MessageAction
          icon={copied ? IconCheck : IconCopy}
          label={t(copied ? 'action.copied' : 'action.copy')}
          onClick={copy}
        />
      )}
    </CopyButton>
  );
}
