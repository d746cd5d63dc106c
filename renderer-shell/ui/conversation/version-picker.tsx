import { IconChevronLeft, IconChevronRight, IconColumns2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import type { PlacedMessage } from '../../state/chat/conversation-state.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { IconAction } from '../frame/icon-action.tsx';
import { useAction } from '../frame/use-action.ts';
import { usePart } from '../../core/store.ts';
import { VersionsDialog } from './versions-dialog.tsx';

interface VersionPickerProps {
  message: PlacedMessage;
  conversation: Conversation;
  disabled: boolean;
}

/** Shows which version of a message is visible, with buttons to switch. */
export function VersionPicker({ message, conversation, disabled }: VersionPickerProps) {
  const { t } = useTranslation();
  const action = useAction();
  const conversationId = usePart(conversation.state, (state) => state.id);
  const [isOpen, setIsOpen] = useState(false);
  const { id = '', siblings = [] } = message;
  const index = siblings.indexOf(id);
  if (siblings.length < 2 || index === -1) return null;
  const show = (to: number) => {
    const sibling = siblings[to];
    if (sibling !== undefined) void action.run(() => conversation.select(sibling));
  };
  const off = disabled || action.busy;
  const number = index + 1;
  const count = siblings.length;
  return (
    <>
      <div
        className="message-versions"
        role="group"
        aria-label={t('chat.version.label', { number, count })}
      >
        <IconAction
          icon={IconChevronLeft}
          label={t('chat.version.earlier')}
          disabled={off || index === 0}
          onClick={() => show(index - 1)}
        />
        <span aria-hidden>{t('chat.version.place', { number, count })}</span>
        <IconAction
          icon={IconChevronRight}
          label={t('chat.version.later')}
          disabled={off || number === count}
          onClick={() => show(index + 1)}
        />
        <IconAction
          icon={IconColumns2}
          label={t('chat.version.all')}
          disabled={off}
          onClick={() => setIsOpen(true)}
        />
      </div>
      {isOpen && conversationId !== null && (
        <VersionsDialog
          conversationId={conversationId}
          conversation={conversation}
          messageId={id}
          siblings={siblings}
          onClose={() => setIsOpen(false)}
        />
      )}
      {action.error !== null && <ErrorAlert error={action.error} />}
    </>
  );
}
