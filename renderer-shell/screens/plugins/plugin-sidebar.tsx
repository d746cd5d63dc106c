import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ListPane } from '../../ui/frame/list-pane.tsx';
import { chooseInstall } from '../../state/choose-install.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { matchesPlugin } from './home-groups.ts';
import { PluginListItem } from './plugin-list-item.tsx';
import { UnreadList } from '../../ui/frame/unread-list.tsx';

interface PluginSidebarProps {
  chosenId: string | null;
  hidden: boolean;
}

export function PluginSidebar({ chosenId, hidden }: PluginSidebarProps) {
  const { t } = useTranslation();
  const { view } = useShell();
  const { pluginQuery: query } = useStore(view);
  const setQuery = (pluginQuery: string) => view.patch({ pluginQuery });

  return (
    <ListPane
      title={t('plugins.title')}
      hidden={hidden}
      search={{ label: t('plugins.search'), value: query, onChange: setQuery }}
      action={
        <Tooltip label={t('install.open')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('install.open')}
            onClick={() => void chooseInstall(view)}
          >
            <IconPlus size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      }
    >
      <PluginRows chosenId={chosenId} query={query} />
    </ListPane>
  );
}

function PluginRows({ chosenId, query }: { chosenId: string | null; query: string }) {
  const { t } = useTranslation();
  const { plugins, view } = useShell();
  const state = useStore(plugins.state);
  if (state.kind === 'loading' || state.kind === 'failed')
    return <UnreadList state={state} onRetry={() => void plugins.refresh()} />;
  if (state.plugins.length === 0) {
    return (
      <div className="list-note">
        <p>{t('plugins.none')}</p>
        <Button size="xs" onClick={() => void chooseInstall(view)}>
          {t('install.open')}
        </Button>
      </div>
    );
  }
  const found = state.plugins.filter((plugin) => matchesPlugin(plugin, query));
  if (found.length === 0) return <p className="list-note">{t('plugins.noneFound', { query })}</p>;
  return (
    <ul className="rows">
      {found.map((plugin) => (
        <PluginListItem key={plugin.id} plugin={plugin} chosen={plugin.id === chosenId} />
      ))}
    </ul>
  );
}
