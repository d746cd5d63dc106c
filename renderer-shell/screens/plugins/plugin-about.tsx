import { Modal, Stack, Tabs, Text } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { usePolling } from '../../ui/frame/use-polling.ts';
import { GrantList } from './grant-list.tsx';
import { PermissionList } from '../../ui/plugins/permission-list.tsx';
import { PluginFacts } from '../../ui/plugins/plugin-facts.tsx';
import { PluginErrorList } from './plugin-errors.tsx';
import { TrustSection } from '../../ui/plugins/trust-section.tsx';

const errorPollMs = 2_000;

interface PluginAboutProps {
  plugin: MarketplacePlugin;
  opened: boolean;
  onClose: () => void;
}

/** Shows details and recent errors of a plugin that has a page. */
export function PluginAbout({ plugin, opened, onClose }: PluginAboutProps) {
  const { t } = useTranslation();
  const { contents } = plugin;
  const runs = contents !== undefined && contents.hooks.length + contents.mcpServers.length > 0;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={<span className="untrusted">{plugin.name}</span>}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <AboutTabs plugin={plugin} runs={runs} />
    </Modal>
  );
}

interface AboutTabsProps {
  plugin: MarketplacePlugin;
  /** True if it has hooks or MCP servers, which run beside its worker. */
  runs: boolean;
}

function AboutTabs({ plugin, runs }: AboutTabsProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const { id } = plugin;
  const load = useCallback(() => client.call(api.plugins.errors, { params: { id } }), [client, id]);
  const errors = useLoaded(load);
  usePolling(errors.refresh, errorPollMs);
  const count = errors.state.kind === 'ready' ? errors.state.value.total : 0;
  return (
    <Tabs defaultValue="details" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="details">{t('pluginErrors.details')}</Tabs.Tab>
        <Tabs.Tab value="errors">{t('pluginErrors.tab', { count })}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="details" pt="sm">
        <AboutDetails plugin={plugin} runs={runs} />
      </Tabs.Panel>
      <Tabs.Panel value="errors" pt="sm">
        <PluginErrorList id={id} errors={errors} />
      </Tabs.Panel>
    </Tabs>
  );
}

function AboutDetails({ plugin, runs }: AboutTabsProps) {
  const { permissions } = plugin;
  return (
    <Stack gap="sm">
      {plugin.description !== '' && <Text className="untrusted">{plugin.description}</Text>}
      <PluginFacts plugin={plugin} />
      <PermissionList permissions={permissions} added={[]} />
      {permissions.some((one) => one.startsWith('files.')) && <GrantList id={plugin.id} />}
      {runs && <TrustSection plugin={plugin} />}
    </Stack>
  );
}
