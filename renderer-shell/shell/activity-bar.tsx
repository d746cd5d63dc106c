import { PluginIcon } from '../ui/plugins/plugin-icon.tsx';
import { updatesIn } from '../state/plugin-list.ts';
import { useShell } from '../state/shell.ts';
import { useStore } from '../core/store.ts';
import { AreaButtons } from './area-buttons.tsx';

/** Shows the top-level navigation: areas, pinned plugins, settings. */
export function ActivityBar() {
  const { plugins, route, settings } = useShell();
  const now = useStore(route);
  useStore(plugins.state);
  const { pinnedPlugins, sidebarCollapsed } = useStore(settings);
  const chosenId = now.area === 'plugins' ? now.id : null;
  const pinned = chosenId !== null && pinnedPlugins.includes(chosenId);

  return (
    <AreaButtons
      now={now}
      collapsed={sidebarCollapsed}
      updates={updatesIn(plugins).length}
      elsewhere={pinned}
      onGo={(target) => route.go(target)}
      onCollapse={() =>
        void settings.change({ sidebarCollapsed: !sidebarCollapsed }).catch(() => undefined)
      }
    >
      <PinnedPlugins />
    </AreaButtons>
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
