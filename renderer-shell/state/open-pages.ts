import type { Watched } from '../core/store.ts';
import { createStore } from '../core/store.ts';
import type { PluginList } from './plugin-list.ts';
import { hasPage } from './plugin-list.ts';
import type { RouteStore } from './route.ts';

/** Pages beyond this many are closed, the one that was not looked at for the longest time first. */
const MAX_PAGES = 5;

/**
 * The plugins whose pages are kept loaded, in the order they were opened: going back to a plugin
 * finds its page as it was left. The order never changes, since a moved frame would load again.
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
