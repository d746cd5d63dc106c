import { routeOfPath } from './address.ts';
import type { Shell } from './shell.ts';
import type { Watched } from '../core/store.ts';
import type { HostBridge } from '../../service/contract/desktop-bridge.ts';
import { hostBridge } from '../core/host-bridge.ts';

/** Nobody opens more by hand before one of them is looked at. */
const mostWaiting = 20;

/** Takes what the system opens with the app, once there is a shell for it: packages and places. */
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
  bridge.onPlace((place) => {
    const route = routeOfPath(place);
    if (route) current.get()?.route.go(route);
  });
}

/** One installation at a time: what is being looked at stays, and the next one follows it. */
function packagesInTurn(current: Watched<Shell | null>) {
  const waiting = new Set<string>();
  const showNext = (): void => {
    const view = current.get()?.view;
    const [path] = waiting;
    if (!view || path === undefined || view.get().install !== null) return;
    waiting.delete(path);
    view.patch({ install: { path } });
  };
  const take = (path: string): void => {
    const shown = current.get()?.view.get().install;
    const isShown = shown !== null && shown !== undefined && 'path' in shown && shown.path === path;
    if (isShown || waiting.size >= mostWaiting) return;
    waiting.add(path);
    showNext();
  };
  return { take, showNext };
}
