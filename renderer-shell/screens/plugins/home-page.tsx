import { Button } from '@mantine/core';
import { useId, useMemo } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { lazyDialog } from '../../ui/frame/lazy-dialog.tsx';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import { Tag } from '../../ui/frame/alert.tsx';
import { chooseInstall } from '../../state/choose-install.ts';
import { pluginNeedsAttention } from '../../state/plugin-list.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { categoryName } from '../../ui/plugins/category-name.ts';
import { FirstSteps } from './first-steps.tsx';
import { byCategory, matchesPlugin } from './home-groups.ts';
import './home.css';
import { PluginIcon } from '../../ui/plugins/plugin-icon.tsx';
import { stateLabelKey, toneOf } from './plugin-state-label.ts';

const development = lazyDialog(() =>
  import('./development.tsx').then(({ Development }) => Development),
);

/** Shows all installed plugins by category and the first steps, while no plugin is chosen. */
export function HomePage({ narrow }: { narrow: boolean }) {
  const { t } = useTranslation();
  const { plugins, route, settings, view } = useShell();
  const state = useStore(plugins.state);
  const { developerMode } = useStore(settings);
  const { pluginQuery } = useStore(view);
  const all = state.kind === 'ready' ? state.plugins : null;
  const groups = useMemo(
    () => byCategory((all ?? []).filter((plugin) => matchesPlugin(plugin, pluginQuery))),
    [all, pluginQuery],
  );
  return (
    <>
      <header className="toolbar">
        {narrow && <ShowListButton label={t('plugins.showList')} />}
        <h1 title={t('home.title')}>{t('home.title')}</h1>
        {all && <span className="home-count">{t('home.count', { count: all.length })}</span>}
        <span className="toolbar-gap" />
        {!narrow && (
          <Button size="xs" variant="default" onClick={() => route.go({ area: 'store', id: null })}>
            {t('home.store')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => void chooseInstall(view)}>
          {t('install.open')}
        </Button>
      </header>
      <div className="home">
        <FirstSteps />
        <development.Dialog opened={developerMode} />
        {all?.length === 0 && <p className="home-none">{t('plugins.none')}</p>}
        {all !== null && all.length > 0 && groups.length === 0 && (
          <p className="home-none untrusted">{t('plugins.noneFound', { query: pluginQuery })}</p>
        )}
        {groups.map(([category, members]) => (
          <CategorySection key={category} category={category} plugins={members} />
        ))}
      </div>
    </>
  );
}

interface CategorySectionProps {
  category: string;
  plugins: readonly MarketplacePlugin[];
}

function CategorySection({ category, plugins }: CategorySectionProps) {
  const { t } = useTranslation();
  const name = categoryName(t, category);
  return (
    <section aria-label={name}>
      <h2 className="untrusted">{name}</h2>
      <ul className="home-grid">
        {plugins.map((plugin) => (
          <li key={plugin.id}>
            <HomeCard plugin={plugin} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function HomeCard({ plugin }: { plugin: MarketplacePlugin }) {
  const { t } = useTranslation();
  const { route } = useShell();
  const textId = useId();
  const { id, name, description, version, enabled, updateAvailable } = plugin;
  const isPlain = enabled && !pluginNeedsAttention(plugin);
  return (
    <div className="home-card" data-dimmed={!enabled}>
      <span className="home-card-head">
        <PluginIcon plugin={plugin} size={32} />
        <span className="row-text">
          <button
            type="button"
            className="home-card-name home-card-open untrusted"
            aria-label={t('home.open', { name })}
            aria-describedby={textId}
            onClick={() => route.go({ area: 'plugins', id })}
          >
            {name}
          </button>
          <span className="row-more untrusted">{version}</span>
        </span>
        {!isPlain && <Tag tone={toneOf(plugin)}>{t(stateLabelKey(plugin))}</Tag>}
        {isPlain && updateAvailable && <Tag tone="accent">{t('home.update')}</Tag>}
      </span>
      <span className="home-card-text untrusted" id={textId}>
        {description}
      </span>
    </div>
  );
}
