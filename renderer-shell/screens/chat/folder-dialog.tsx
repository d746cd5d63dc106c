import { Autocomplete } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import type { DetailsDialogProps } from './conversation-settings-dialog.tsx';
import { FieldDialog } from './field-dialog.tsx';

/** Moves a conversation to a folder; an empty name removes it from its folder. */
export function FolderDialog({ conversation, onClose }: DetailsDialogProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const [folder, setFolder] = useState(() => conversation.details.get().folder ?? '');
  const { state } = useLoaded(useCallback(() => client.call(api.conversations.folders), [client]));
  const names = state.kind === 'ready' ? state.value.map(({ name }) => name) : [];
  return (
    <FieldDialog
      title={t('chat.folder')}
      confirm={t('chat.move')}
      save={() => conversation.configure({ folder: folder.trim() })}
      onClose={onClose}
    >
      <Autocomplete
        label={t('chat.folderName')}
        description={t('chat.folderText')}
        data={names}
        maxLength={200}
        value={folder}
        onChange={setFolder}
        data-autofocus
      />
    </FieldDialog>
  );
}
