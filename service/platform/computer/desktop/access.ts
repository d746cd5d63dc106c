import type { ComputerState } from '../computer-engine.ts';
import type { DesktopSystem } from './desktop-system.ts';

const settings = 'System Settings > Privacy & Security';

/** Whether the system lets this app see and press, and where a person allows it. */
export function accessOf(system: DesktopSystem): ComputerState {
  const { platform } = system;
  const { screen, input } = system.access();
  const missing: string[] = [];
  if (screen !== 'granted')
    missing.push(
      platform === 'darwin'
        ? `macOS does not let this app see the screen (${screen}): allow Plugin Host in ${settings} > Screen & System Audio Recording, then quit it and open it again.`
        : `The system does not let this app see the screen (${screen}).`,
    );
  if (input === false)
    missing.push(
      `macOS does not let this app press keys and buttons: allow Plugin Host in ${settings} > Accessibility.`,
    );
  if (missing.length > 0) return { available: false, reason: missing.join(' ') };
  const seen = 'The screen can be seen and controlled';
  return {
    available: true,
    reason:
      platform === 'win32'
        ? `${seen}, but for windows of programs that run as administrator: Windows lets them take no keys or clicks.`
        : `${seen}.`,
  };
}
