import { hostBridge } from '../../core/host-bridge.ts';
import type { PickOptions } from './pick-request.ts';

/** Opens the desktop's own file chooser; resolves with null when it is closed. */
export type NativePicker = (options: PickOptions) => Promise<string | null>;

/**
 * Returns the file chooser of the desktop, if there is one. It grants files at their original path
 * instead of copies.
 */
export function nativePicker(): NativePicker | undefined {
  const bridge = hostBridge();
  return bridge && ((options) => bridge.pickPath(options));
}
