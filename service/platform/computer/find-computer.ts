import type { Processes } from '../processes.ts';
import type { ComputerEngine } from './computer-engine.ts';
import { unavailable } from './unavailable.ts';
import { waylandReason, X11Engine } from './x11/x11-engine.ts';
import { type Message, msg } from '../../messages/index.ts';

export interface Surroundings {
  platform: NodeJS.Platform;
  /** What `DISPLAY` says. */
  display: string | null;
  /** What `WAYLAND_DISPLAY` says. */
  wayland: string | null;
  /** The computer as the desktop app has it; null where it brings none. */
  own: ComputerEngine | null;
  /** Of the person's settings. */
  language: () => string;
}

/** The computer of these surroundings; where there is none, every call says why. */
export function findComputer(around: Surroundings, processes: Processes): ComputerEngine {
  const { display, own, language } = around;
  if (own !== null) return own;
  if (display !== null && hasX11(around.platform))
    return new X11Engine({ processes, display, language });
  return noComputer(whyNone(around));
}

const hasX11 = (platform: NodeJS.Platform): boolean =>
  platform !== 'darwin' && platform !== 'win32';

/** Why there is nothing to be seen or pressed, and what to do. */
export function whyNone({ platform, wayland }: Surroundings): Message {
  if (hasX11(platform)) return wayland === null ? msg('computer.noDisplay') : waylandReason;
  const system = platform === 'darwin' ? 'macOS' : 'Windows';
  return msg('computer.needsDesktopApp', { system });
}

function noComputer(reason: Message): ComputerEngine {
  const refuse = (): Promise<never> => Promise.reject(unavailable(reason));
  return {
    state: () => Promise.resolve({ available: false, reason }),
    run: refuse,
    take: refuse,
    close: () => Promise.resolve(),
  };
}
