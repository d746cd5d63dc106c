import { Button, Menu } from '@mantine/core';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { PluginDetails } from '../../../service/contract/index.ts';
import { isRunning } from '../../state/market/installing.ts';
import type { Market } from '../../state/market/market.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { MoreMenu } from '../../ui/frame/more-menu.tsx';

const ICON = { size: 16, 'aria-hidden': true } as const;

interface DetailsActionsProps {
  market: Market;
  plugin: PluginDetails;
}

/** Shows the actions for a plugin, the most likely one first. */
export function DetailsActions({ market, plugin }: DetailsActionsProps) {
  const { t } = useTranslation();
  const { route } = useShell();
  const installing = useStore(market.installs.state).get(plugin.id);
  const busy = installing !== undefined && isRunning(installing);
  const { id, installed, installable, updateAvailable, offered } = plugin;
  if (!installed) {
    return (
      <Button
        size="xs"
        disabled={!installable}
        loading={busy}
        onClick={() => void market.installs.start('install', id)}
      >
        {t('store.install')}
      </Button>
    );
  }
  const version = offered?.version ?? '';
  return (
    <>
      {updateAvailable && (
        <Button size="xs" loading={busy} onClick={() => void market.request('update', id)}>
          {version === '' ? t('store.update') : t('store.updateTo', { version })}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => route.go({ area: 'plugins', id })}>
        {t('store.open')}
      </Button>
      <MoreActions market={market} plugin={plugin} busy={busy} />
    </>
  );
}

function MoreActions({ market, plugin, busy }: DetailsActionsProps & { busy: boolean }) {
  const { t } = useTranslation();
  const { view } = useShell();
  const { id, installable, updateAvailable, offered } = plugin;
  const isDowngrade = offered?.comparison === 'downgrade';
  return (
    <MoreMenu label={t('plugin.more')}>
      {offered && installable && !updateAvailable && (
        <Menu.Item
          leftSection={<IconRefresh {...ICON} />}
          disabled={busy}
          onClick={() => void market.request('update', id)}
        >
          {isDowngrade ? t('store.goBackTo', { version: offered.version }) : t('store.again')}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconTrash {...ICON} />}
        className="danger-item"
        disabled={busy}
        onClick={() => view.patch({ uninstall: id })}
      >
        {t('plugin.uninstall')}
      </Menu.Item>
    </MoreMenu>
  );
}
