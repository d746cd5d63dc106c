import { routeOfPath } from './address.ts';
import type { Shell } from './shell.ts';
import type { Watched } from '../core/store.ts';
import type { HostBridge } from '../../service/contract/desktop-bridge.ts';
import { hostBridge } from '../core/host-bridge.ts';

/** Limit of pending items, which exceeds what a person opens by hand. */
const maxPending = 20;

/**
 * Handles what the system opens with the app, once there is a shell: packages, routes and links.
 */
export function followDesktop(current: Watched<Shell | null>): void {
  const bridge = hostBridge();
  if (!bridge) return;
  const { take, showNext } = packagesInTurn(current);
  const stop = current.subscribe(() => {
    if (!current.get()) return;
    stop();
    listen(bridge, current, take);
  });
  current.subscribe(() => {
    current.get()?.view.subscribe(showNext);
    showNext();
  });
}

function listen(
  bridge: HostBridge,
  current: Watched<Shell | null>,
  take: (path: string) => void,
): void {
  bridge.onPackage(take);
  bridge.onNavigate((path) => {
    const route = routeOfPath(path);
    if (route) current.get()?.route.go(route);
  });
  bridge.onInstall((id) => {
    const shell = current.get();
    if (!shell) return;
    shell.route.go({ area: 'store', id });
    void import('./market/market.ts').then(({ marketOf }) => marketOf(shell).offer(id));
  });
}

/** Shows one installation at a time: the current one stays, the next one follows it. */
function packagesInTurn(current: Watched<Shell | null>) {
  const pending = new Set<string>();
  const showNext = (): void => {
    const view = current.get()?.view;
    const [path] = pending;
    if (!view || path === undefined || view.get().install !== null) return;
    pending.delete(path);
    view.patch({ install: { path } });
  };
  const take = (path: string): void => {
    const openInstall = current.get()?.view.get().install;
    const isOpen =
      openInstall !== null &&
      openInstall !== undefined &&
      'path' in openInstall &&
      openInstall.path === path;
    if (isOpen || pending.size >= maxPending) return;
    pending.add(path);
    showNext();
  };
  return { take, showNext };
}
