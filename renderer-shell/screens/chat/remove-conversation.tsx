import { useTranslation } from '../../core/messages/use-translation.ts';
import { RemoveDialog } from '../../ui/frame/remove-dialog.tsx';
import { useShell } from '../../state/shell.ts';
import type { ConversationDialogProps } from './rename-dialog.tsx';

export function RemoveConversation({ id, title, onClose }: ConversationDialogProps) {
  const { t } = useTranslation();
  const { chats, route } = useShell();
  return (
    <RemoveDialog
      title={t('chat.removeTitle')}
      text={t('chat.removeText', { title })}
      confirm={t('chat.removeConfirm')}
      remove={() => chats.remove(id)}
      onRemoved={() => route.go({ area: 'chat', id: null })}
      onClose={onClose}
    />
  );
}
