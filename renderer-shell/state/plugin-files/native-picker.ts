import { hostBridge } from '../../core/host-bridge.ts';
import type { PickWish } from './pick-ask.ts';

/** Opens the desktop's own chooser; null when it is closed. */
export type NativePicker = (wish: PickWish) => Promise<string | null>;

/** Of the desktop, where it has one: with it files are granted where they are, not as copies. */
export function nativePicker(): NativePicker | undefined {
  const bridge = hostBridge();
  return bridge && ((wish) => bridge.pickPath(wish));
}
