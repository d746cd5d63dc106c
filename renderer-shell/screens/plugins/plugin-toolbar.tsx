import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import { Tag } from '../../ui/frame/alert.tsx';
import type { Action } from '../../ui/frame/use-action.ts';
import { hasPage } from '../../state/plugin-list.ts';
import { useShell } from '../../state/shell.ts';
import { LogButton } from '../../ui/plugins/log-button.tsx';
import { PluginIcon } from '../../ui/plugins/plugin-icon.tsx';
import { PluginMenu } from './plugin-menu.tsx';
import { stateLabelKey, toneOf } from './plugin-state-label.ts';

interface PluginToolbarProps {
  plugin: MarketplacePlugin;
  narrow: boolean;
  action: Action;
}

export function PluginToolbar({ plugin, narrow, action }: PluginToolbarProps) {
  const { t } = useTranslation();
  return (
    <header className="toolbar">
      {narrow && <ShowListButton label={t('plugins.showList')} />}
      <PluginIcon plugin={plugin} size={22} />
      <h1 className="untrusted">{plugin.name}</h1>
      <Text size="xs" c="dimmed" className="toolbar-version">
        {plugin.version}
      </Text>
      <Tag tone={toneOf(plugin)}>{t(stateLabelKey(plugin))}</Tag>
      <span className="toolbar-gap" />
      <ToolbarActions plugin={plugin} narrow={narrow} action={action} />
    </header>
  );
}

function ToolbarActions({ plugin, narrow, action }: PluginToolbarProps) {
  const { t } = useTranslation();
  const { plugins } = useShell();
  const toggle = () => action.run(() => plugins.setEnabled(plugin.id, !plugin.enabled));
  return (
    <>
      <Button size="xs" variant="default" loading={action.busy} onClick={() => void toggle()}>
        {t(plugin.enabled ? 'plugin.disable' : 'plugin.enable')}
      </Button>
      {hasPage(plugin) && <LogButton narrow={narrow} />}
      <PluginMenu plugin={plugin} />
    </>
  );
}
