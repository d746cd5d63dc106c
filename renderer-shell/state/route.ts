import type { Watched } from '../store.ts';
import { createStore } from '../store.ts';

/** What the content shows. It stands in the fragment of the address, so a reload comes back to it. */
export type Route = { area: 'plugins'; pluginId: string | null } | { area: 'settings' };

export const pathOfRoute = (route: Route): string =>
  route.area === 'settings'
    ? '/settings'
    : `/plugins${route.pluginId === null ? '' : `/${encodeURIComponent(route.pluginId)}`}`;

/** The route of a path inside the shell; null when it leads nowhere. */
export function routeOfPath(path: string): Route | null {
  if (path === '/settings') return { area: 'settings' };
  const match = /^\/plugins(?:\/([^/]+))?\/?$/.exec(path);
  if (!match) return null;
  return { area: 'plugins', pluginId: match[1] === undefined ? null : decoded(match[1]) };
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
