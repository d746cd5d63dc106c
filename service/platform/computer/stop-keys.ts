import { HostError } from '../../core/host-error.ts';
import { keyParts } from '../browser/key-names.ts';
import { msg } from '../../messages/index.ts';

/** Keys that end the model's control; the first one that no other program has grabbed is used. */
export const stopKeys = [
  { name: 'Ctrl+Alt+Esc', keys: 'Control+Alt+Escape' },
  { name: 'Ctrl+Shift+Esc', keys: 'Control+Shift+Escape' },
  { name: 'Ctrl+Alt+F12', keys: 'Control+Alt+F12' },
] as const;

/**
 * The stop key is reserved for the user.
 * @throws HostError `invalid_key`
 */
export function refuseStopKey(keys: string): void {
  const combination = keyParts(keys).toSorted().join('+');
  if (stopKeys.every((one) => one.keys.split('+').toSorted().join('+') !== combination)) return;
  const message = msg('computer.stopKeyRefused', { keys: keys.slice(0, 60) });
  throw new HostError('invalid', 'invalid_key', message);
}

export function noStopKey(): HostError {
  const names = stopKeys.map((one) => one.name);
  const message = msg('computer.noStopKey', { keys: names });
  return new HostError('conflict', 'no_stop_key', message);
}
