import { routeOfPath } from '../state/route.ts';
import type { Shell } from '../state/shell.ts';
import type { Watched } from '../store.ts';
import { hostBridge } from './host-bridge.ts';

/** Takes what the system opens with the app, once there is a shell for it: packages and places. */
export function followDesktop(current: Watched<Shell | null>): void {
  const bridge = hostBridge();
  if (!bridge) return;
  const stop = current.subscribe(() => {
    if (!current.get()) return;
    stop();
    bridge.onPackage((path) => openPackage(current.get(), path));
    bridge.onPlace((place) => {
      const route = routeOfPath(place);
      if (route) current.get()?.route.go(route);
    });
  });
}

/** One installation at a time: what is being looked at stays. */
function openPackage(shell: Shell | null, path: string): void {
  if (shell && shell.view.get().install === null) shell.view.patch({ install: { path } });
}
