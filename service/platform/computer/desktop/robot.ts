import type { MouseButton } from '../computer-engine.ts';
import { unavailable } from '../unavailable.ts';
import { msg } from '../../../messages/index.ts';

/** What is used of the library that presses keys and buttons. */
export interface Robot {
  setMouseDelay(ms: number): void;
  setKeyboardDelay(ms: number): void;
  /** Displays may have come, gone or moved. */
  updateScreenMetrics(): void;
  moveMouse(x: number, y: number): void;
  /** With the left button down. */
  dragMouse(x: number, y: number): void;
  mouseToggle(state: 'down' | 'up', button: MouseButton): void;
  mouseClick(button: MouseButton, double: boolean): void;
  /** To the left and up. */
  scrollMouse(x: number, y: number): void;
  keyTap(key: string, modifiers: string[]): void;
  /** A unit of UTF-16. */
  unicodeTap(unit: number): void;
}

/** Its own waits would keep the whole process waiting. @throws HostError `computer_use_unavailable` */
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
