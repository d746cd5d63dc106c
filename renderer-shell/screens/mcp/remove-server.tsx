import { Button, Group, Modal, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { McpServerView } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../frame/error-note.tsx';
import { useAction } from '../../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';

/** Says what goes with a server before it does. */
export function RemoveServer({ server, onClose }: { server: McpServerView; onClose: () => void }) {
  const { t } = useTranslation();
  const { client, mcp, route } = useShell();
  const { id, name, tools } = server;
  const action = useAction();
  const remove = async () => {
    if (!(await action.run(() => client.call(api.mcp.remove, { params: { id } })))) return;
    onClose();
    route.go({ area: 'mcp', id: null });
    void mcp.refresh();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={<span className="untrusted">{t('mcp.removeTitle', { name })}</span>}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="md">
        <p className="plain">{t('mcp.removeText', { count: tools.length })}</p>
        {action.error !== null && <ErrorNote error={action.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('action.cancel')}
          </Button>
          <Button color="red.9" loading={action.busy} onClick={() => void remove()}>
            {t('mcp.removeConfirm')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
