import type { Processes } from '../processes.ts';
import type { ComputerEngine } from './computer-engine.ts';
import { unavailable } from './unavailable.ts';
import { waylandReason, X11Engine } from './x11/x11-engine.ts';
import { type Message, msg } from '../../messages/index.ts';

/** Facts about the machine that decide which screen is used. */
export interface ScreenEnvironment {
  platform: NodeJS.Platform;
  /** Value of `DISPLAY`. */
  display: string | null;
  /** Value of `WAYLAND_DISPLAY`. */
  wayland: string | null;
  /** The engine of the desktop app; null if it has none. */
  own: ComputerEngine | null;
  /** Language of the settings. */
  language: () => string;
}

/**
 * Returns the computer engine of this machine; without a screen, one whose calls fail with the
 * reason.
 */
export function findComputer(environment: ScreenEnvironment, processes: Processes): ComputerEngine {
  const { display, own, language } = environment;
  if (own !== null) return own;
  if (display !== null && hasX11(environment.platform))
    return new X11Engine({ processes, display, language });
  return noComputer(unavailableReason(environment));
}

const hasX11 = (platform: NodeJS.Platform): boolean =>
  platform !== 'darwin' && platform !== 'win32';

/** Returns the reason why computer use is not possible, with advice. */
export function unavailableReason({ platform, wayland }: ScreenEnvironment): Message {
  if (hasX11(platform)) return wayland === null ? msg('computer.noDisplay') : waylandReason;
  const system = platform === 'darwin' ? 'macOS' : 'Windows';
  return msg('computer.needsDesktopApp', { system });
}

function noComputer(reason: Message): ComputerEngine {
  const refuse = (): Promise<never> => Promise.reject(unavailable(reason));
  return {
    state: () => Promise.resolve({ available: false, reason }),
    run: refuse,
    takeControl: refuse,
    close: () => Promise.resolve(),
  };
}
