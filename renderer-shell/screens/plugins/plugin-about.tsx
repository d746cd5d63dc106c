import { Modal, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { PermissionList } from './permission-list.tsx';

interface PluginAboutProps {
  plugin: MarketplacePlugin;
  opened: boolean;
  onClose: () => void;
}

export function PluginAbout({ plugin, opened, onClose }: PluginAboutProps) {
  const { t } = useTranslation();
  const facts = [
    ['about.id', plugin.id],
    ['about.version', plugin.version],
    ['about.author', plugin.author],
    ['about.source', t(`source.${plugin.source}`)],
  ] as const;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<span className="untrusted">{plugin.name}</span>}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {plugin.description !== '' && <Text className="untrusted">{plugin.description}</Text>}
      <Table mt="sm" variant="vertical" layout="fixed">
        <Table.Tbody>
          {facts
            .filter(([, value]) => value !== '')
            .map(([label, value]) => (
              <Table.Tr key={label}>
                <Table.Th w={110}>{t(label)}</Table.Th>
                <Table.Td className="untrusted">{value}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      <PermissionList permissions={plugin.permissions} added={[]} />
    </Modal>
  );
}
