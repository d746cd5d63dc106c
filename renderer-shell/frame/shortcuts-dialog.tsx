import { Kbd, Modal, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useShell } from '../state/shell.ts';
import { useStore } from '../store.ts';
import { keysText } from './keys-text.ts';

const SHORTCUTS = [
  ['mod+k', 'shortcuts.palette'],
  ['mod+1', 'shortcuts.chat'],
  ['mod+2', 'shortcuts.plugins'],
  ['mod+,', 'shortcuts.settings'],
  ['mod+f', 'shortcuts.search'],
  ['mod+Shift+o', 'shortcuts.new'],
  ['Esc', 'shortcuts.close'],
  ['?', 'shortcuts.this'],
] as const;

export function ShortcutsDialog() {
  const { t } = useTranslation();
  const { view } = useShell();
  return (
    <Modal
      opened={useStore(view).dialog === 'shortcuts'}
      onClose={() => view.patch({ dialog: null })}
      title={t('shortcuts.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Table>
        <Table.Tbody>
          {SHORTCUTS.map(([keys, label]) => (
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
