import type { MouseButton } from '../computer-engine.ts';
import { unavailable } from '../unavailable.ts';
import { msg } from '../../../messages/index.ts';

/** The part of the native input library that is used. */
export interface Robot {
  setMouseDelay(ms: number): void;
  setKeyboardDelay(ms: number): void;
  /** Called after displays were added, removed or moved. */
  updateScreenMetrics(): void;
  moveMouse(x: number, y: number): void;
  /** Moves with the left button pressed. */
  dragMouse(x: number, y: number): void;
  mouseToggle(state: 'down' | 'up', button: MouseButton): void;
  mouseClick(button: MouseButton, double: boolean): void;
  /** Positive values scroll left and up. */
  scrollMouse(x: number, y: number): void;
  keyTap(key: string, modifiers: string[]): void;
  /** Types one UTF-16 unit. */
  unicodeTap(unit: number): void;
}

/**
 * Loads the library without its delays, which would block the process.
 * @throws HostError `computer_use_unavailable`
 */
export async function loadRobot(): Promise<Robot> {
  try {
    const robot = (await import('@jitsi/robotjs')).default as Robot;
    robot.setMouseDelay(0);
    robot.setKeyboardDelay(0);
    return robot;
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw unavailable(msg('computer.libraryMissing', { reason: why }));
  }
}
