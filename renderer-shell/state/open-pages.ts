import type { Watched } from '../core/store.ts';
import { createStore } from '../core/store.ts';
import type { PluginList } from './plugin-list.ts';
import { hasPage } from './plugin-list.ts';
import type { RouteStore } from './route.ts';

/** Limit of loaded pages; the one that was viewed longest ago is closed first. */
const MAX_PAGES = 5;

/**
 * Creates the list of plugins whose pages stay loaded, in the order they were opened, so that
 * returning to a plugin preserves the state of its page. The order never changes, because a moved
 * frame would reload.
 */
export function createOpenPages(
  route: RouteStore,
  plugins: PluginList,
): Watched<readonly string[]> {
  const pages = createStore<readonly string[]>([]);
  let lastUsed: string[] = [];

  function update(): void {
    const now = route.get();
    const usable = (id: string) => {
      const plugin = plugins.find(id);
      return plugin !== undefined && plugin.enabled && hasPage(plugin);
    };
    if (plugins.state.get().kind !== 'ready') return;
    const current = now.area === 'plugins' ? now.id : null;
    if (current !== null) lastUsed = [current, ...lastUsed.filter((id) => id !== current)];
    lastUsed = lastUsed.filter(usable).slice(0, MAX_PAGES);
    const remaining = pages.get().filter((id) => lastUsed.includes(id));
    const next = [...remaining, ...lastUsed.filter((id) => !remaining.includes(id))];
    if (next.join() !== pages.get().join()) pages.set(next);
  }

  route.subscribe(update);
  plugins.state.subscribe(update);
  return pages;
}
