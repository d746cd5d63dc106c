import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';

/** Properties of the dialogs about one conversation. */
export interface ConversationDialogProps {
  id: string;
  title: string;
  onClose: () => void;
}

export function RenameDialog({ id, title, onClose }: ConversationDialogProps) {
  const { t } = useTranslation();
  const { chats } = useShell();
  const [text, setText] = useState(title);
  const action = useAction();
  const rename = async () => {
    if (await action.run(() => chats.rename(id, text.trim()))) onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('chat.renameTitle')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void rename();
        }}
      >
        <TextInput
          label={t('chat.titleLabel')}
          maxLength={300}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        {action.error !== null && <ErrorAlert error={action.error} />}
        <Group mt="md" justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={action.busy} disabled={text.trim() === ''}>
            {t('chat.rename')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
