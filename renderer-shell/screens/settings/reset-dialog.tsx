import { Button, Group, Modal, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';

/** Says what it means to leave the database before it is left. */
export function ResetDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { client, settings } = useShell();
  const action = useAction();
  const reset = () =>
    action.run(async () => {
      await client.call(api.settings.resetDatabase);
      // The next answer tells that a database has to be chosen, and the page follows.
      await settings.refresh().catch(() => undefined);
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('data.resetTitle')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="md">
        <p className="plain">{t('data.resetMeaning')}</p>
        {action.error !== null && <ErrorNote error={action.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('action.cancel')}
          </Button>
          <Button color="red.9" loading={action.busy} onClick={() => void reset()}>
            {t('data.resetConfirm')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
