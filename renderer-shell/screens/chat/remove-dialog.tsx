import { Button, Group, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../frame/error-note.tsx';
import { useAction } from '../../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import type { ConversationDialogProps } from './rename-dialog.tsx';

export function RemoveDialog({ id, title, onClose }: ConversationDialogProps) {
  const { t } = useTranslation();
  const { chats, route } = useShell();
  const action = useAction();
  const remove = async () => {
    if (!(await action.run(() => chats.remove(id)))) return;
    onClose();
    route.go({ area: 'chat', id: null });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('chat.removeTitle')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <p className="plain untrusted">{t('chat.removeText', { title })}</p>
      {action.error !== null && <ErrorNote error={action.error} />}
      <Group mt="md" justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('action.cancel')}
        </Button>
        <Button color="red.9" loading={action.busy} onClick={() => void remove()}>
          {t('chat.removeConfirm')}
        </Button>
      </Group>
    </Modal>
  );
}
