import type { HostBridge } from '../../service/contract/desktop-bridge.ts';

/** What the desktop gives to this page; in a browser nothing. */
export const hostBridge = (): HostBridge | undefined =>
  (window as { hostBridge?: HostBridge }).hostBridge;
