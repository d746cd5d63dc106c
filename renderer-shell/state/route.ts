import type { Watched } from '../store.ts';
import { createStore } from '../store.ts';
import type { Route } from './address.ts';
import { pathOfRoute, routeOfPage } from './address.ts';

export interface RouteStore extends Watched<Route> {
  go(route: Route): void;
  close(): void;
}

export function createRouteStore(page: Window): RouteStore {
  const read = () => routeOfPage(page);
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
