import type { Watched } from '../store.ts';
import { createStore } from '../store.ts';

/** What the content shows. It stands in the fragment of the address, so a reload comes back to it. */
export type Route =
  | { area: 'chat'; /** Null: one that begins. */ conversationId: string | null }
  | { area: 'plugins'; pluginId: string | null }
  | { area: 'settings' };

export function pathOfRoute(route: Route): string {
  if (route.area === 'settings') return '/settings';
  const id = route.area === 'chat' ? route.conversationId : route.pluginId;
  return `/${route.area}${id === null ? '' : `/${encodeURIComponent(id)}`}`;
}

/** The route of a path inside the shell; null when it leads nowhere. */
export function routeOfPath(path: string): Route | null {
  if (path === '/settings') return { area: 'settings' };
  const match = /^\/(chat|plugins)(?:\/([^/]+))?\/?$/.exec(path);
  if (!match) return null;
  const id = match[2] === undefined ? null : decoded(match[2]);
  return match[1] === 'chat'
    ? { area: 'chat', conversationId: id }
    : { area: 'plugins', pluginId: id };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

export interface RouteStore extends Watched<Route> {
  go(route: Route): void;
  close(): void;
}

export function createRouteStore(page: Window): RouteStore {
  const read = (): Route =>
    routeOfPath(page.location.hash.slice(1)) ?? { area: 'plugins', pluginId: null };
  const store = createStore(read());
  const onHashChange = () => store.set(read());
  page.addEventListener('hashchange', onHashChange);
  return {
    get: store.get,
    subscribe: store.subscribe,
    go: (route) => {
      if (pathOfRoute(route) !== pathOfRoute(store.get())) page.location.hash = pathOfRoute(route);
    },
    close: () => page.removeEventListener('hashchange', onHashChange),
  };
}
