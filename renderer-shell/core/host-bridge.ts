import type { HostBridge } from '../../service/contract/desktop-bridge.ts';

/** Returns the bridge of the desktop app; undefined in a browser. */
export const hostBridge = (): HostBridge | undefined =>
  (window as { hostBridge?: HostBridge }).hostBridge;
