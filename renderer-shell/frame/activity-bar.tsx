import { IconLayoutSidebarLeftCollapse, IconSettings } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { PluginIcon } from '../screens/plugins/plugin-icon.tsx';
import { updatesIn } from '../state/plugin-list.ts';
import { useShell } from '../state/shell.ts';
import { useStore } from '../store.ts';
import { areas } from './areas.ts';

/** The outermost choice: areas, pinned plugins, settings. */
export function ActivityBar() {
  const { t } = useTranslation();
  const { plugins, route, settings } = useShell();
  const now = useStore(route);
  useStore(plugins.state);
  const { pinnedPlugins, sidebarCollapsed } = useStore(settings);
  const chosenId = now.area === 'plugins' ? now.id : null;
  const pinned = chosenId !== null && pinnedPlugins.includes(chosenId);

  return (
    <nav className="activity" data-collapsed={sidebarCollapsed} aria-label={t('area.label')}>
      {areas.map(({ area, label, icon, route: target }) => (
        <ActivityButton
          key={area}
          icon={icon}
          label={t(label)}
          updates={area === 'store' ? updatesIn(plugins).length : 0}
          chosen={now.area === area && !pinned}
          current={now.area === area && chosenId === null}
          // Pressed once more, the plugins lead back to their home.
          onClick={() => route.go(now.area === area && area !== 'plugins' ? now : target)}
        />
      ))}
      <PinnedPlugins />
      <span className="activity-gap" />
      <ActivityButton
        icon={IconSettings}
        label={t('area.settings')}
        chosen={now.area === 'settings'}
        current={now.area === 'settings'}
        onClick={() => route.go({ area: 'settings', id: null })}
      />
      <ActivityButton
        icon={IconLayoutSidebarLeftCollapse}
        className="activity-collapse"
        label={t(sidebarCollapsed ? 'area.expand' : 'area.collapse')}
        chosen={false}
        current={false}
        onClick={() =>
          void settings.change({ sidebarCollapsed: !sidebarCollapsed }).catch(() => undefined)
        }
      />
    </nav>
  );
}

interface ActivityButtonProps {
  icon: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;
  label: string;
  className?: string;
  updates?: number;
  chosen: boolean;
  current: boolean;
  onClick: () => void;
}

function ActivityButton(props: ActivityButtonProps) {
  const { t } = useTranslation();
  const { icon: Icon, label, className = '', updates = 0, chosen, current, onClick } = props;
  const name = updates === 0 ? label : t('area.updates', { label, count: updates });
  return (
    <button
      type="button"
      className={`activity-button ${className}`}
      data-chosen={chosen}
      aria-current={current ? 'page' : undefined}
      aria-label={name}
      title={name}
      onClick={onClick}
    >
      {updates > 0 && <span className="activity-badge">{updates}</span>}
      <Icon size={20} stroke={1.6} aria-hidden />
      <span className="activity-label">{label}</span>
    </button>
  );
}

function PinnedPlugins() {
  const { plugins, route, settings } = useShell();
  const { pinnedPlugins } = useStore(settings);
  const now = useStore(route);
  useStore(plugins.state);
  const pinned = pinnedPlugins
    .map((id) => plugins.find(id))
    .filter((plugin) => plugin !== undefined)
    .filter((plugin) => plugin.enabled);

  return pinned.map((plugin) => {
    const chosen = now.area === 'plugins' && now.id === plugin.id;
    return (
      <button
        key={plugin.id}
        type="button"
        className="activity-button"
        data-chosen={chosen}
        aria-current={chosen ? 'page' : undefined}
        title={plugin.name}
        onClick={() => route.go({ area: 'plugins', id: plugin.id })}
      >
        <PluginIcon plugin={plugin} size={20} />
        <span className="activity-label untrusted">{plugin.name}</span>
      </button>
    );
  });
}
