import { Button, Group, Modal, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Memory } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';

interface ForgetDialogProps {
  /** Null: everything. */
  memory: Memory | null;
  onForgotten: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something is forgotten for good. */
export function ForgetDialog({ memory, onForgotten, onClose }: ForgetDialogProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const action = useAction();
  const forget = () =>
    action.run(async () => {
      if (memory === null) await client.call(api.memories.forgetAll);
      else await client.call(api.memories.forget, { params: { id: memory.id } });
      await onForgotten();
      onClose();
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(memory === null ? 'memory.forgetAllTitle' : 'memory.forgetTitle')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="md">
        {memory !== null && <p className="plain memory-text untrusted">{memory.text}</p>}
        <p className="plain">
          {t(memory === null ? 'memory.forgetAllMeaning' : 'memory.forgetMeaning')}
        </p>
        {action.error !== null && <ErrorNote error={action.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('action.cancel')}
          </Button>
          <Button color="red.9" loading={action.busy} onClick={() => void forget()}>
            {t(memory === null ? 'memory.forgetAllDo' : 'memory.forget')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
