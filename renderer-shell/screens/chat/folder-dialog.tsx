import { Autocomplete, Button, Group, Modal } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import type { DetailsDialogProps } from './conversation-settings-dialog.tsx';

/** Moves a conversation to a folder; an empty name takes it out of its folder. */
export function FolderDialog({ conversation, onClose }: DetailsDialogProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const [folder, setFolder] = useState(() => conversation.details.get().folder ?? '');
  const action = useAction();
  const { state } = useLoaded(useCallback(() => client.call(api.conversations.folders), [client]));
  const names = state.kind === 'ready' ? state.value.map(({ name }) => name) : [];
  const move = async () => {
    if (await action.run(() => conversation.configure({ folder: folder.trim() }))) onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('chat.folder')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void move();
        }}
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
        {action.error !== null && <ErrorAlert error={action.error} />}
        <Group mt="md" justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={action.busy}>
            {t('chat.move')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
