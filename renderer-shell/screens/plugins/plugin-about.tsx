import { Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { GrantList } from './grant-list.tsx';
import { PermissionList } from '../../ui/plugins/permission-list.tsx';
import { PluginFacts } from '../../ui/plugins/plugin-facts.tsx';
import { TrustSection } from '../../ui/plugins/trust-section.tsx';

interface PluginAboutProps {
  plugin: MarketplacePlugin;
  opened: boolean;
  onClose: () => void;
}

/** Of a plugin with a page: what else there is to know. */
export function PluginAbout({ plugin, opened, onClose }: PluginAboutProps) {
  const { t } = useTranslation();
  const { contents, permissions } = plugin;
  const runs = contents !== undefined && contents.hooks.length + contents.mcpServers.length > 0;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={runs ? 'lg' : 'md'}
      title={<span className="untrusted">{plugin.name}</span>}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="sm">
        {plugin.description !== '' && <Text className="untrusted">{plugin.description}</Text>}
        <PluginFacts plugin={plugin} />
        <PermissionList permissions={permissions} added={[]} />
        {permissions.some((one) => one.startsWith('files.')) && <GrantList id={plugin.id} />}
        {runs && <TrustSection plugin={plugin} />}
      </Stack>
    </Modal>
  );
}
