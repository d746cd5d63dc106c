import { Menu } from '@mantine/core';
import {
  IconAdjustments,
  IconInfoCircle,
  IconPin,
  IconRefresh,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { chooseInstall } from '../../state/choose-install.ts';
import { hasPage } from '../../state/plugin-list.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { PluginAbout } from './plugin-about.tsx';
import { MoreMenu } from '../../ui/frame/more-menu.tsx';

const ICON = { size: 16, 'aria-hidden': true } as const;

export function PluginMenu({ plugin }: { plugin: MarketplacePlugin }) {
  const { t } = useTranslation();
  const { view } = useShell();
  const [about, setAbout] = useState(false);
  const withPage = hasPage(plugin);
  return (
    <>
      <MoreMenu label={t('plugin.more')}>
        {withPage && <ReloadItem plugin={plugin} />}
        {plugin.userConfig && (
          <Menu.Item
            leftSection={<IconAdjustments {...ICON} />}
            onClick={() => view.patch({ configure: plugin.id })}
          >
            {t('plugin.settings')}
          </Menu.Item>
        )}
        <PinItem plugin={plugin} />
        {withPage && (
          <Menu.Item leftSection={<IconInfoCircle {...ICON} />} onClick={() => setAbout(true)}>
            {t('plugin.about')}
          </Menu.Item>
        )}
        <Menu.Divider />
        {withPage && (
          <Menu.Item
            leftSection={<IconUpload {...ICON} />}
            onClick={() => void chooseInstall(view)}
          >
            {t('plugin.update')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconTrash {...ICON} />}
          className="danger-item"
          onClick={() => view.patch({ uninstall: plugin.id })}
        >
          {t('plugin.uninstall')}
        </Menu.Item>
      </MoreMenu>
      <PluginAbout plugin={plugin} opened={about} onClose={() => setAbout(false)} />
    </>
  );
}

function ReloadItem({ plugin: { id, enabled } }: { plugin: MarketplacePlugin }) {
  const { t } = useTranslation();
  const { plugins } = useShell();
  return (
    <Menu.Item
      leftSection={<IconRefresh {...ICON} />}
      disabled={!enabled}
      onClick={() => plugins.reload(id)}
    >
      {t('plugin.reload')}
    </Menu.Item>
  );
}

function PinItem({ plugin: { id } }: { plugin: MarketplacePlugin }) {
  const { t } = useTranslation();
  const { settings } = useShell();
  const { pinnedPlugins } = useStore(settings);
  const pinned = pinnedPlugins.includes(id);
  const others = pinnedPlugins.filter((other) => other !== id);
  const change = { pinnedPlugins: pinned ? others : [...others, id] };
  return (
    <Menu.Item
      leftSection={<IconPin {...ICON} />}
      onClick={() => void settings.change(change).catch(() => undefined)}
    >
      {t(pinned ? 'plugin.unpin' : 'plugin.pin')}
    </Menu.Item>
  );
}
