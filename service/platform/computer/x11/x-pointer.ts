import { setTimeout as delay } from 'node:timers/promises';
import type { MouseButton, Point } from '../computer-engine.ts';
import { op, request, u32 } from './requests.ts';
import type { XConnection } from './x-connection.ts';
import type { XInput } from './x-input.ts';

const buttons: Record<MouseButton, number> = { left: 1, middle: 2, right: 3 };
const wheel = { up: 4, down: 5, left: 6, right: 7 };
/** Programs merge a press and a move without a pause, in ms. */
const stepMs = 12;
const dragSteps = 12;
/** Approximate distance of one notch of the wheel, in points. */
const notch = 100;

/** Controls the mouse, in pixels, as everywhere in X. */
export class XPointer {
  private readonly x: XConnection;
  private readonly input: XInput;

  constructor(x: XConnection, input: XInput) {
    this.x = x;
    this.input = input;
  }

  async position(): Promise<Point> {
    const reply = await this.x.call(request(op.queryPointer, 0, u32(this.x.setup.root)));
    return { x: reply.readInt16LE(16), y: reply.readInt16LE(18) };
  }

  async move({ x, y }: Point): Promise<void> {
    this.input.move(x, y);
    await this.x.sync();
  }

  async click(at: Point, name: MouseButton, count: number, signal: AbortSignal): Promise<void> {
    const button = await this.input.buttonFor(buttons[name]);
    await this.settleAt(at, signal);
    for (let time = 0; time < count; time += 1) {
      this.input.buttonDown(button);
      await this.step(signal);
      this.input.buttonUp(button);
      if (time + 1 < count) await this.step(signal);
    }
    await this.x.sync();
  }

  async drag(from: Point, to: Point, signal: AbortSignal): Promise<void> {
    const button = await this.input.buttonFor(buttons.left);
    await this.settleAt(from, signal);
    this.input.buttonDown(button);
    for (let step = 1; step <= dragSteps; step += 1) {
      await this.step(signal);
      const part = (one: number, other: number): number =>
        Math.round(one + ((other - one) * step) / dragSteps);
      this.input.move(part(from.x, to.x), part(from.y, to.y));
    }
    await this.step(signal);
    this.input.buttonUp(button);
    await this.x.sync();
  }

  async scroll(at: Point, by: { dx: number; dy: number }, signal: AbortSignal): Promise<void> {
    await this.settleAt(at, signal);
    await this.turnWheel(by.dy < 0 ? wheel.up : wheel.down, by.dy, signal);
    await this.turnWheel(by.dx < 0 ? wheel.left : wheel.right, by.dx, signal);
    await this.x.sync();
  }

  private async turnWheel(button: number, points: number, signal: AbortSignal): Promise<void> {
    const wheelButton = await this.input.buttonFor(button);
    for (let remaining = Math.ceil(Math.abs(points) / notch); remaining > 0; remaining -= 1) {
      this.input.buttonDown(wheelButton);
      this.input.buttonUp(wheelButton);
      await this.step(signal);
    }
  }

  private async settleAt({ x, y }: Point, signal: AbortSignal): Promise<void> {
    this.input.move(x, y);
    await this.step(signal);
  }

  private async step(signal: AbortSignal): Promise<void> {
    await this.x.sync();
    await delay(stepMs, undefined, { signal });
  }
}
