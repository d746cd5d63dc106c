import type { Processes } from '../processes.ts';
import type { ComputerEngine } from './computer-engine.ts';
import { unavailable } from './unavailable.ts';
import { waylandReason, X11Engine } from './x11/x11-engine.ts';

/** What a system lets this program do, as far as it tells. */
export interface ScreenAccess {
  /** Seeing the screen: `granted`, `denied`, `restricted`, `not-determined` or `unknown`. */
  screen: string;
  /** Pressing keys and buttons for others; null where no system asks. */
  input: boolean | null;
}

export interface Surroundings {
  platform: NodeJS.Platform;
  /** What `DISPLAY` says. */
  display: string | null;
  /** What `WAYLAND_DISPLAY` says. */
  wayland: string | null;
  /** Asked for each time: a person may change it. */
  access: () => ScreenAccess | null;
}

/** The computer of these surroundings; where there is none, every call says why. */
export function findComputer(around: Surroundings, processes: Processes): ComputerEngine {
  const { display } = around;
  if (display !== null && hasX11(around.platform)) return new X11Engine({ processes, display });
  return noComputer(() => whyNone(around));
}

const hasX11 = (platform: NodeJS.Platform): boolean =>
  platform !== 'darwin' && platform !== 'win32';

/** Why there is nothing to be seen or pressed, and what to do. */
export function whyNone({ platform, wayland, access }: Surroundings): string {
  if (hasX11(platform))
    return wayland === null
      ? 'There is no display: DISPLAY is not set. Start the host in a session with an X11 display, or name one: -Dhost.computer.display=:0.'
      : waylandReason;
  const system = platform === 'darwin' ? 'macOS' : 'Windows';
  return `The computer tools work on Linux with an X11 display; this is ${system}.${permissions(access())}`;
}

function permissions(access: ScreenAccess | null): string {
  if (access === null) return '';
  const { screen, input } = access;
  const pressing = input === null ? '' : `, accessibility: ${input ? 'granted' : 'denied'}`;
  return ` Permissions of this app: screen recording: ${screen}${pressing}.`;
}

function noComputer(reason: () => string): ComputerEngine {
  const refuse = (): Promise<never> => Promise.reject(unavailable(reason()));
  return {
    state: () => Promise.resolve({ available: false, reason: reason() }),
    run: refuse,
    take: refuse,
    close: () => Promise.resolve(),
  };
}
