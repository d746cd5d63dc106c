import { HostError } from '../../../core/host-error.ts';
import { noStopKey, stopKeys } from '../stop-keys.ts';
import { event, op, request, u16, u32, u8 } from './requests.ts';
import type { XConnection } from './x-connection.ts';

const modifiers = { shift: 0x1, lock: 0x2, control: 0x4, alt: 0x8, numLock: 0x10 };
const { control, alt, shift, lock, numLock } = modifiers;

const masks: Record<string, number> = { Control: control, Alt: alt, Shift: shift };

/** A grabbed stop key. */
export interface StopKey {
  /** Display name. */
  name: string;
  release(): void;
}

/**
 * Grabs a stop key, whichever window has the focus.
 * @throws HostError `no_stop_key`
 */
export async function grabStopKey(
  x: XConnection,
  keycodeOf: (key: string) => Promise<number>,
  pressed: () => void,
): Promise<StopKey> {
  for (const { name: keyName, keys } of stopKeys) {
    const parts = keys.split('+');
    const key = parts.pop() ?? '';
    const modifierMask = parts.reduce((all, one) => all | (masks[one] ?? 0), 0);
    const keycode = await keycodeOf(key);
    const states = [0, lock, numLock, lock | numLock].map((more) => modifierMask | more);
    if (!(await grab(x, keycode, states))) continue;
    const leave = x.events.subscribe((packet) => {
      if (packet[0] === event.keyPress && packet[1] === keycode) pressed();
    });
    return {
      name: keyName,
      release() {
        leave();
        ungrab(x, keycode, states);
      },
    };
  }
  throw noStopKey();
}

async function grab(x: XConnection, keycode: number, states: number[]): Promise<boolean> {
  const asynchronous = 1;
  try {
    for (const state of states) {
      const how = [u32(x.setup.root), u16(state), u8(keycode, asynchronous, asynchronous, 0, 0, 0)];
      await x.checked(request(op.grabKey, 1, ...how));
    }
    return true;
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== 'x11_taken') throw error;
    ungrab(x, keycode, states);
    return false;
  }
}

function ungrab(x: XConnection, keycode: number, states: number[]): void {
  for (const state of states)
    x.send(request(op.ungrabKey, keycode, u32(x.setup.root), u16(state, 0)));
}
