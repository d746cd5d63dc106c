import type { Watched } from '../core/store.ts';
import { createStore } from '../core/store.ts';
import type { Route } from './address.ts';
import { pathOfRoute, routeOfPage } from './address.ts';

/** The current route, which is stored in the address of the page. */
export interface RouteStore extends Watched<Route> {
  go(route: Route): void;
  close(): void;
}

export function createRouteStore(page: Window): RouteStore {
  const read = () => routeOfPage(page);
  const store = createStore(read());
  const isCurrent = (route: Route) => pathOfRoute(route) === pathOfRoute(store.get());
  const show = () => {
    const route = read();
    if (!isCurrent(route)) store.set(route);
  };
  page.addEventListener('hashchange', show);
  return {
    get: store.get,
    subscribe: store.subscribe,
    go: (route) => {
      if (isCurrent(route)) return;
      page.location.hash = pathOfRoute(route);
      // The event may arrive after the next key press, which is meant for the new route.
      show();
    },
    close: () => page.removeEventListener('hashchange', show),
  };
}
