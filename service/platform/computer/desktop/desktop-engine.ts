import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../../core/host-error.ts';
import {
  type ComputerAction,
  type ComputerActions,
  type ComputerDisplay,
  type ComputerEngine,
  type ComputerState,
  type Controls,
  limits,
  type Point,
  type Screenshot,
} from '../computer-engine.ts';
import { stripRows } from '../encode-png.ts';
import { pictureOf } from '../picture.ts';
import { findDisplay, outsideScreenError } from '../display-errors.ts';
import { readLanguage, textIn } from '../../../messages/localize.ts';
import { noStopKey, refuseStopKey, stopKeys } from '../stop-keys.ts';
import { unavailable } from '../unavailable.ts';
import { accessOf } from './access.ts';
import type { DesktopSystem } from './desktop-system.ts';
import { installedProgram, menuOf, type ProgramMenu } from './installed-programs.ts';
import { loadRobot, type Robot } from './robot.ts';
import { pressChord, typeText } from './robot-keyboard.ts';
import { RobotPointer } from './robot-pointer.ts';
import { type HostText, msg } from '../../../messages/index.ts';

/** Time for a launched program to show a window, in ms. */
const windowMs = 5_000;
const pollMs = 250;

interface InputDevices {
  robot: Robot;
  pointer: RobotPointer;
}

type ActionHandlers = {
  [Action in ComputerAction]: (
    input: ComputerActions[Action][0],
    signal: AbortSignal,
  ) => Promise<ComputerActions[Action][1]>;
};

interface Options {
  /** Loads the library for input, on the first action that needs it. */
  load?: () => Promise<Robot>;
  menu?: ProgramMenu;
}

/**
 * The screen, mouse and keyboard in the desktop app: Electron captures, a native library sends
 * input.
 */
export class DesktopEngine implements ComputerEngine {
  private readonly system: DesktopSystem;
  private readonly load: () => Promise<Robot>;
  private readonly menu: ProgramMenu;
  private devices: Promise<InputDevices> | null = null;
  private broken: HostText | null = null;
  private asked = false;
  private readonly handlers: ActionHandlers = {
    screenshot: ({ display }) => this.screenshot(display),
    displays: () => Promise.resolve({ displays: this.shifted().displays }),
    apps: async () => ({ apps: await this.system.windows() }),
    cursor_position: () => Promise.resolve(this.cursor()),
    move: (at, signal) => this.point((devices) => devices.move(this.native(at), signal)),
    click: ({ button, count, ...at }, signal) =>
      this.point((devices) => devices.click(this.native(at), button, count, signal)),
    drag: ({ fromX, fromY, toX, toY }, signal) =>
      this.point((devices) => {
        const to = this.native({ x: toX, y: toY });
        return devices.drag(this.native({ x: fromX, y: fromY }), to, signal);
      }),
    scroll: ({ dx, dy, ...at }, signal) =>
      this.point((devices) => devices.scroll(this.native(at), { dx, dy }, signal)),
    type: async ({ text }, signal) => {
      const { robot } = await this.open();
      await typeText(robot, this.system.platform, text, signal);
      return { done: true };
    },
    key: async ({ keys }) => {
      refuseStopKey(keys);
      const { robot } = await this.open();
      pressChord(robot, this.system.platform, keys);
      return { done: true };
    },
    launch: ({ app }, signal) => this.launch(app, signal),
    activate: () => Promise.reject(noActivation()),
    clipboard_read: () => this.readText(),
    clipboard_write: async ({ text }) => {
      await this.system.writeText(text);
      return { done: true };
    },
  };

  constructor(system: DesktopSystem, { load = loadRobot, menu }: Options = {}) {
    this.system = system;
    this.load = load;
    this.menu = menu ?? menuOf(system.platform);
  }

  state(): Promise<ComputerState> {
    const { broken } = this;
    if (broken !== null) return Promise.resolve({ available: false, reason: broken });
    return Promise.resolve(accessOf(this.system));
  }

  async run<Action extends ComputerAction>(
    action: Action,
    input: ComputerActions[Action][0],
    signal: AbortSignal,
  ): Promise<ComputerActions[Action][1]> {
    await this.checkAccess();
    signal.throwIfAborted();
    try {
      return await this.handlers[action](input, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      const devices = await this.devices?.catch(() => null);
      devices?.pointer.releaseAll();
    }
  }

  async takeControl(onEnd: (why: 'stopped' | 'gone') => void): Promise<Controls> {
    await this.checkAccess();
    await this.open();
    const language = this.system.language();
    await readLanguage(language);
    for (const { name, keys } of stopKeys) {
      const ungrab = this.system.grab(keys, () => onEnd('stopped'));
      if (!ungrab) continue;
      try {
        const title = textIn(language, msg('indicator.name'));
        const text = textIn(language, msg('indicator.text', { stopKey: name }));
        const indicator = await this.system.showIndicator(title, text, () => onEnd('gone'));
        return {
          stopKey: name,
          release() {
            ungrab();
            indicator.hide();
            return Promise.resolve();
          },
        };
      } catch (error) {
        ungrab();
        throw error;
      }
    }
    throw noStopKey();
  }

  async close(): Promise<void> {
    const devices = await this.devices?.catch(() => null);
    devices?.pointer.releaseAll();
  }

  /** @throws HostError `computer_use_unavailable` */
  private async checkAccess(): Promise<void> {
    const { available, reason } = await this.state();
    if (available) return;
    // The app appears in the privacy settings only after it has asked.
    if (!this.asked) this.system.askForAccess();
    this.asked = true;
    throw unavailable(reason);
  }

  private open(): Promise<InputDevices> {
    this.devices ??= this.load().then(
      (robot) => ({ robot, pointer: new RobotPointer(robot, this.system.platform) }),
      (error: unknown) => {
        if (error instanceof HostError) this.broken = error.text;
        throw error;
      },
    );
    return this.devices;
  }

  private async point(work: (pointer: RobotPointer) => Promise<void>): Promise<Point> {
    await work((await this.open()).pointer);
    return this.cursor();
  }

  /**
   * The displays relative to the upper left corner of all of them, and that corner in coordinates
   * of the system.
   */
  private shifted(): { displays: ComputerDisplay[]; corner: Point } {
    const displays = this.system.displays();
    if (displays.length === 0) throw unavailable(msg('computer.noDisplays'));
    const x = Math.min(...displays.map((one) => one.x));
    const y = Math.min(...displays.map((one) => one.y));
    const moved = displays.map((one) => ({ ...one, x: one.x - x, y: one.y - y }));
    return { displays: moved, corner: { x, y } };
  }

  private cursor(): Point {
    const { corner } = this.shifted();
    const { x, y } = this.system.cursor();
    return { x: Math.round(x - corner.x), y: Math.round(y - corner.y) };
  }

  /** @throws HostError `outside_screen` */
  private native(point: Point): Point {
    const { displays, corner } = this.shifted();
    const isVisible = displays.some(
      ({ x, y, width, height }) =>
        point.x >= x && point.x < x + width && point.y >= y && point.y < y + height,
    );
    if (!isVisible) throw outsideScreenError(point, displays);
    const { x, y } = this.system.nativePoint({ x: point.x + corner.x, y: point.y + corner.y });
    return { x: Math.round(x), y: Math.round(y) };
  }

  private async screenshot(id: string | undefined): Promise<Screenshot> {
    const display = findDisplay(this.system.displays(), id);
    const seen = await this.system.capture(display);
    if (!seen) throw unavailable(msg('computer.noPicture'));
    const { width, height, pixels } = seen;
    const strips: Buffer[] = [];
    const bytes = stripRows * width * 4;
    for (let at = 0; at < height * width * 4; at += bytes)
      strips.push(pixels.subarray(at, Math.min(at + bytes, height * width * 4)));
    const about = { display: display.id, scale: width / display.width };
    return pictureOf({ width, height, strips }, about);
  }

  private async readText(): Promise<{ text: string; truncated?: true }> {
    const text = await this.system.readText();
    if (text.length <= limits.clipboardCharacters) return { text };
    return { text: text.slice(0, limits.clipboardCharacters).toWellFormed(), truncated: true };
  }

  private async launch(app: string, signal: AbortSignal): Promise<{ done: true }> {
    const path = await installedProgram(app, this.menu);
    const before = new Set((await this.system.windows()).map(({ id }) => id));
    const why = await this.system.open(path);
    if (why !== '')
      throw new HostError(
        'conflict',
        'app_ended',
        msg('computer.appNotOpened', { app, reason: why }),
      );
    const endMs = performance.now() + windowMs;
    while (performance.now() < endMs) {
      await delay(pollMs, undefined, { signal });
      if ((await this.system.windows()).some(({ id }) => !before.has(id))) break;
    }
    return { done: true };
  }
}

function noActivation(): HostError {
  const message = msg('computer.activateUnsupported');
  return new HostError('conflict', 'unsupported_action', message);
}
