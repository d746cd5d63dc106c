import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { useShell } from '../../state/shell.ts';
import { FieldDialog } from './field-dialog.tsx';

/** Props of the dialogs for one conversation. */
export interface ConversationDialogProps {
  id: string;
  title: string;
  onClose: () => void;
}

export function RenameDialog({ id, title, onClose }: ConversationDialogProps) {
  const { t } = useTranslation();
  const { chats } = useShell();
  const [text, setText] = useState(title);
  return (
    <FieldDialog
      title={t('chat.renameTitle')}
      confirm={t('chat.rename')}
      disabled={text.trim() === ''}
      save={() => chats.rename(id, text.trim())}
      onClose={onClose}
    >
      <TextInput
        label={t('chat.titleLabel')}
        maxLength={300}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
    </FieldDialog>
  );
}
