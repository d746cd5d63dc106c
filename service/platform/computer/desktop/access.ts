import type { ComputerState } from '../computer-engine.ts';
import type { DesktopSystem } from './desktop-system.ts';
import { msg } from '../../../messages/index.ts';

/**
 * Returns whether this app is allowed to capture the screen and to send input, and where the user
 * can allow it.
 */
export function accessOf(system: DesktopSystem): ComputerState {
  const { platform } = system;
  const { screen, input } = system.access();
  const noScreen =
    screen === 'granted'
      ? null
      : platform === 'darwin'
        ? msg('computer.macNoScreen', { state: screen })
        : msg('computer.noScreen', { state: screen });
  const noInput = input === false ? msg('computer.macNoInput') : null;
  const reason =
    noScreen !== null && noInput !== null
      ? msg('computer.noAccess', { screen: noScreen, input: noInput })
      : (noScreen ?? noInput);
  if (reason !== null) return { available: false, reason };
  return {
    available: true,
    reason: platform === 'win32' ? msg('computer.windowsAvailable') : msg('computer.available'),
  };
}
