import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../../core/host-error.ts';
import type { MouseButton, Point } from '../computer-engine.ts';
import type { Robot } from './robot.ts';
import { msg } from '../../../messages/index.ts';

/** Programs merge a press and a move without a pause, in ms. */
const stepMs = 12;
const dragSteps = 12;
/** Approximate distance of one notch of the wheel, in points, and its value on each system. */
const notch = 100;
const counted: Partial<Record<NodeJS.Platform, number>> = { win32: 120, darwin: notch };

/** Controls the mouse, in coordinates of the library. */
export class RobotPointer {
  private readonly robot: Robot;
  private readonly platform: NodeJS.Platform;
  private readonly down = new Set<MouseButton>();

  constructor(robot: Robot, platform: NodeJS.Platform) {
    this.robot = robot;
    this.platform = platform;
  }

  async move({ x, y }: Point, signal: AbortSignal): Promise<void> {
    this.robot.updateScreenMetrics();
    this.robot.moveMouse(x, y);
    await delay(stepMs, undefined, { signal });
  }

  /** @throws HostError `unsupported_action` */
  async click(at: Point, button: MouseButton, count: number, signal: AbortSignal): Promise<void> {
    const isMac = this.platform === 'darwin';
    if (isMac && count > 2) throw noTripleClick();
    await this.move(at, signal);
    for (let time = 0; time < count; time += 1) {
      if (time > 0) await delay(stepMs, undefined, { signal });
      // macOS does not count clicks itself, so the second one must be marked as a double click.
      if (isMac && time > 0) this.robot.mouseClick(button, true);
      else await this.press(button, signal);
    }
  }

  async drag(from: Point, to: Point, signal: AbortSignal): Promise<void> {
    await this.move(from, signal);
    this.toggle('down', 'left');
    for (let step = 1; step <= dragSteps; step += 1) {
      await delay(stepMs, undefined, { signal });
      const part = (one: number, other: number): number =>
        Math.round(one + ((other - one) * step) / dragSteps);
      this.robot.dragMouse(part(from.x, to.x), part(from.y, to.y));
    }
    await delay(stepMs, undefined, { signal });
    this.toggle('up', 'left');
  }

  async scroll(at: Point, by: { dx: number; dy: number }, signal: AbortSignal): Promise<void> {
    await this.move(at, signal);
    const one = counted[this.platform] ?? 1;
    const notches = (points: number): number => Math.ceil(Math.abs(points) / notch);
    for (let remaining = notches(by.dy); remaining > 0; remaining -= 1) {
      this.robot.scrollMouse(0, by.dy < 0 ? one : -one);
      await delay(stepMs, undefined, { signal });
    }
    for (let remaining = notches(by.dx); remaining > 0; remaining -= 1) {
      this.robot.scrollMouse(by.dx < 0 ? one : -one, 0);
      await delay(stepMs, undefined, { signal });
    }
  }

  /** Releases all pressed buttons. */
  releaseAll(): void {
    for (const button of this.down) this.toggle('up', button);
  }

  private async press(button: MouseButton, signal: AbortSignal): Promise<void> {
    this.toggle('down', button);
    await delay(stepMs, undefined, { signal });
    this.toggle('up', button);
  }

  private toggle(state: 'down' | 'up', button: MouseButton): void {
    if (state === 'down') this.down.add(button);
    else this.down.delete(button);
    this.robot.mouseToggle(state, button);
  }
}

function noTripleClick(): HostError {
  const message = msg('computer.tripleClickUnsupported');
  return new HostError('conflict', 'unsupported_action', message);
}
