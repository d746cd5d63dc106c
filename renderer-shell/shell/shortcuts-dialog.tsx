import { Kbd, Modal, Table } from '@mantine/core';
import { useTranslation } from '../core/messages/use-translation.ts';
import { useShell } from '../state/shell.ts';
import { keysText } from '../ui/frame/keys-text.ts';
import type { DialogProps } from '../ui/frame/lazy-dialog.tsx';
import { shortcuts } from './shortcuts.ts';

export function ShortcutsDialog({ opened }: DialogProps) {
  const { t } = useTranslation();
  const { view } = useShell();
  return (
    <Modal
      opened={opened}
      onClose={() => view.patch({ dialog: null })}
      title={t('shortcuts.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Table>
        <Table.Tbody>
          {shortcuts.map(({ keys, label }) => (
            <Table.Tr key={keys}>
              <Table.Td>{t(label)}</Table.Td>
              <Table.Td ta="right">
                <Kbd>{keysText(keys)}</Kbd>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
