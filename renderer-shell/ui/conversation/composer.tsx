import { ActionIcon, Textarea, Tooltip } from '@mantine/core';
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useRef } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import type { ConversationState } from '../../state/chat/conversation-state.ts';
import { textOf } from '../../state/chat/message-text.ts';
import { pastedFile } from '../../state/chat/pasted-file.ts';
import { isRunning } from '../../state/chat/turn.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { useShell } from '../../state/shell.ts';
import { usePart, useStore } from '../../core/store.ts';
import { AttachMenu } from './attach-menu.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { CommandSuggestions } from './command-suggestions.tsx';
import { ContextMeter } from './context-meter.tsx';
import { ModePicker } from './mode-picker.tsx';
import { ModelPicker } from './model-picker.tsx';
import { PromptDialog } from './prompt-dialog.tsx';
import type { Attaching } from './use-attaching.ts';
import { useSuggestions } from './use-suggestions.ts';

interface ComposerProps {
  conversation: Conversation;
  attaching: Attaching;
}

/** Returns the user's last message, to send it again or edited. */
function lastSentText({ messages }: ConversationState): string {
  const last = messages.findLast(({ role }) => role === 'user');
  return last === undefined ? '' : textOf(last.content);
}

/** The message input. Its text is preserved while another area is open. */
export function Composer({ conversation, attaching }: ComposerProps) {
  const { t } = useTranslation();
  const { models } = useShell();
  const running = usePart(conversation.state, ({ turn }) => turn !== null && isRunning(turn));
  const { text, attachments } = useStore(conversation.draft);
  const field = useRef<HTMLTextAreaElement>(null);
  const hasOwnModel = usePart(conversation.details, ({ model }) => model !== undefined);
  const isConfigured = useStore(models)?.ready ?? false;
  const ready = hasOwnModel || isConfigured;
  const isEmpty = text.trim() === '' && attachments.length === 0;
  const lastSent = usePart(conversation.state, lastSentText);
  const canSend = ready && !running && !attaching.busy && !isEmpty;
  const write = (next: string) =>
    conversation.draft.set({ ...conversation.draft.get(), text: next });
  const suggestions = useSuggestions(text, (next) => {
    write(next);
    field.current?.focus();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || suggestions.onKeyDown(event)) return;
    if (event.key === 'Escape' && running) void conversation.stop();
    else if (event.key === 'ArrowUp' && isEmpty && lastSent !== '') write(lastSent);
    else if (event.key === 'Enter' && !event.shiftKey) {
      if (canSend) void conversation.send();
    } else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    const long = files.length === 0 ? pastedFile(event.clipboardData.getData('text/plain')) : null;
    if (long) files.push(long);
    if (files.length === 0) return;
    event.preventDefault();
    void attaching.add(files);
  };
  return (
    <div className="composer">
      <CommandSuggestions suggestions={suggestions} />
      {suggestions.asking !== null && (
        <PromptDialog prompt={suggestions.asking} onAnswer={suggestions.answer} />
      )}
      {attaching.error !== null && <ErrorAlert error={attaching.error} />}
      <AttachmentList conversation={conversation} />
      <Textarea
        ref={field}
        variant="unstyled"
        autosize
        minRows={1}
        maxRows={12}
        autoFocus
        aria-label={t('chat.message')}
        placeholder={t('chat.placeholder')}
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="composer-row">
        <AttachMenu
          conversation={conversation}
          attaching={attaching}
          onChosen={() => field.current?.focus()}
        />
        <ModePicker conversation={conversation} />
        <ModelPicker conversation={conversation} />
        <span className="toolbar-gap" />
        <ContextMeter conversation={conversation} />
        <SendButton conversation={conversation} running={running} canSend={canSend} />
      </div>
    </div>
  );
}

interface SendButtonProps {
  conversation: Conversation;
  running: boolean;
  canSend: boolean;
}

function SendButton({ conversation, running, canSend }: SendButtonProps) {
  const { t } = useTranslation();
  const label = t(running ? 'chat.stop' : 'chat.send');
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={running ? 'default' : 'filled'}
        aria-label={label}
        disabled={!running && !canSend}
        onClick={() => void (running ? conversation.stop() : conversation.send())}
      >
        {running ? (
          <IconPlayerStopFilled size={14} aria-hidden />
        ) : (
          <IconArrowUp size={16} aria-hidden />
        )}
      </ActionIcon>
    </Tooltip>
  );
}
