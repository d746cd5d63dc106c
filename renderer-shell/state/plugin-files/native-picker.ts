import { hostBridge } from '../../core/host-bridge.ts';
import type { PickOptions } from './pick-request.ts';

/** Opens the desktop's own chooser; null when it is closed. */
export type NativePicker = (options: PickOptions) => Promise<string | null>;

/** Of the desktop, where it has one: with it files are granted where they are, not as copies. */
export function nativePicker(): NativePicker | undefined {
  const bridge = hostBridge();
  return bridge && ((options) => bridge.pickPath(options));
}
