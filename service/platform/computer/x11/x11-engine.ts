import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../../core/host-error.ts';
import type { OwnedProcess, Processes } from '../../processes.ts';
import type {
  ComputerAction,
  ComputerActions,
  ComputerEngine,
  ComputerState,
  Controls,
} from '../computer-engine.ts';
import { LaunchedApps } from '../launched-apps.ts';
import { readLanguage, textIn } from '../../../messages/localize.ts';
import { refuseStopKey } from '../stop-keys.ts';
import { unavailable } from '../unavailable.ts';
import { displayAddress } from './display-address.ts';
import { XClipboard } from './x-clipboard.ts';
import { XConnection } from './x-connection.ts';
import { XInput } from './x-input.ts';
import { XKeyboard } from './x-keyboard.ts';
import { XPointer } from './x-pointer.ts';
import { displaysOf, pixelOf, pointOf, screenOf, takeScreenshot } from './x-screen.ts';
import { grabStopKey } from './stop-key.ts';
import { XIndicator } from './x-indicator.ts';
import { activate, activeWindow, appsOf, clientWindows } from './x-windows.ts';
import { msg, textOf } from '../../../messages/index.ts';

/** Time for a launched program to show a window or to fail, in ms. */
const windowMs = 5_000;
/** Time for a window to get the focus, in ms. */
const focusMs = 1_000;
const pollMs = 50;

interface Opened {
  x: XConnection;
  input: XInput;
  keyboard: XKeyboard;
  pointer: XPointer;
  clipboard: XClipboard;
}

type ActionHandlers = {
  [Action in ComputerAction]: (
    input: ComputerActions[Action][0],
    parts: Opened,
    signal: AbortSignal,
  ) => Promise<ComputerActions[Action][1]>;
};

interface Options {
  processes: Processes;
  display: string;
  /** Language of the indicator; default: English. */
  language?: () => string;
}

/** The screen, mouse and keyboard of an X server, over its own protocol. */
export class X11Engine implements ComputerEngine {
  private readonly display: string;
  private readonly language: () => string;
  private readonly apps: LaunchedApps;
  private opening: Promise<Opened> | null = null;
  private closed = false;
  private readonly handlers: ActionHandlers = {
    screenshot: (input, { x }) => takeScreenshot(x, input),
    displays: async (_, { x }) => ({ displays: displaysOf(await screenOf(x)) }),
    apps: async (_, { x }) => ({ apps: await appsOf(x) }),
    cursor_position: (_, parts) => pointerPosition(parts),
    async move(input, parts) {
      await parts.pointer.move(pixelOf(await screenOf(parts.x), input));
      return pointerPosition(parts);
    },
    async click({ button, count, ...at }, parts, signal) {
      await parts.pointer.click(pixelOf(await screenOf(parts.x), at), button, count, signal);
      return pointerPosition(parts);
    },
    async drag({ fromX, fromY, toX, toY }, parts, signal) {
      const screen = await screenOf(parts.x);
      const from = pixelOf(screen, { x: fromX, y: fromY });
      await parts.pointer.drag(from, pixelOf(screen, { x: toX, y: toY }), signal);
      return pointerPosition(parts);
    },
    async scroll({ dx, dy, ...at }, parts, signal) {
      await parts.pointer.scroll(pixelOf(await screenOf(parts.x), at), { dx, dy }, signal);
      return pointerPosition(parts);
    },
    async type({ text }, { keyboard }, signal) {
      await keyboard.type(text, signal);
      return { done: true };
    },
    async key({ keys }, { keyboard }) {
      refuseStopKey(keys);
      await keyboard.chord(keys);
      return { done: true };
    },
    launch: ({ app }, { x }, signal) => this.launch(app, x, signal),
    async activate({ id }, { x }, signal) {
      await activate(x, id, signal);
      return { done: true };
    },
    clipboard_read: (_, { clipboard }, signal) => clipboard.read(signal),
    async clipboard_write({ text }, { clipboard }) {
      await clipboard.write(text);
      return { done: true };
    },
  };

  constructor({ processes, display, language = () => 'en' }: Options) {
    this.display = display;
    this.language = language;
    this.apps = new LaunchedApps(processes, display);
  }

  async state(): Promise<ComputerState> {
    try {
      await this.open();
      return {
        available: true,
        reason: msg('computer.displayAvailable', { display: this.display }),
      };
    } catch (error) {
      if (error instanceof HostError) return { available: false, reason: error.text };
      throw error;
    }
  }

  async run<Action extends ComputerAction>(
    action: Action,
    input: ComputerActions[Action][0],
    signal: AbortSignal,
  ): Promise<ComputerActions[Action][1]> {
    const parts = await this.open();
    signal.throwIfAborted();
    try {
      return await this.handlers[action](input, parts, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      parts.input.releaseAll();
    }
  }

  async takeControl(onEnd: (why: 'stopped' | 'gone') => void): Promise<Controls> {
    const { x, keyboard } = await this.open();
    const stopKey = await grabStopKey(
      x,
      (key) => keyboard.keycodeOfKey(key),
      () => onEnd('stopped'),
    );
    const leave = x.ended.subscribe(() => onEnd('gone'));
    try {
      const language = this.language();
      await readLanguage(language);
      const text = msg('indicator.text', { stopKey: stopKey.name });
      const content = {
        name: textIn(language, msg('indicator.name')),
        text: textIn(language, text),
        plainText: textOf(text),
      };
      const indicator = await XIndicator.show(x, await screenOf(x), content);
      return {
        stopKey: stopKey.name,
        async release() {
          leave();
          stopKey.release();
          indicator.hide();
          if (!x.isOver) await keyboard.resetKeys();
        },
      };
    } catch (error) {
      leave();
      stopKey.release();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.apps.close();
    const opened = await this.opening?.catch(() => null);
    opened?.input.releaseAll();
    await opened?.keyboard.resetKeys().catch(() => undefined);
    opened?.x.close();
  }

  private open(): Promise<Opened> {
    if (this.closed) return Promise.reject(unavailable(msg('host.isClosing')));
    if (this.opening) return this.opening;
    const forget = (): void => {
      if (this.opening === opening) this.opening = null;
    };
    const opening = openParts(this.display, forget);
    opening.catch(forget);
    this.opening = opening;
    return opening;
  }

  private async launch(app: string, x: XConnection, signal: AbortSignal): Promise<{ done: true }> {
    const before = new Set(await clientWindows(x));
    const end = endOf(await this.apps.launch(app));
    let untilMs = performance.now() + windowMs;
    let isActive = false;
    while (performance.now() < untilMs) {
      const fresh = (await clientWindows(x)).filter((window) => !before.has(window));
      if (fresh.includes(await activeWindow(x)) || end.code === 0) break;
      if (fresh.length > 0 && !isActive) {
        isActive = true;
        untilMs = Math.min(untilMs, performance.now() + focusMs);
      }
      if (end.code !== undefined) throw endedAtOnce(app, end.code);
      await delay(pollMs, undefined, { signal });
    }
    return { done: true };
  }
}

async function openParts(display: string, onClosed: () => void): Promise<Opened> {
  const x = await XConnection.open(displayAddress(display));
  x.ended.subscribe(onClosed);
  try {
    if (await x.extension('XWAYLAND')) throw unavailable(waylandReason);
    const input = await XInput.open(x);
    const [keyboard, pointer] = [new XKeyboard(x, input), new XPointer(x, input)];
    return { x, input, keyboard, pointer, clipboard: await XClipboard.open(x) };
  } catch (error) {
    x.close();
    throw error;
  }
}

export const waylandReason = msg('computer.wayland');

const pointerPosition = async ({ x, pointer }: Opened) =>
  pointOf(await screenOf(x), await pointer.position());

function endOf(started: OwnedProcess): { code?: number | null } {
  const end: { code?: number | null } = {};
  void started.exited.then(({ code }) => (end.code = code));
  return end;
}

function endedAtOnce(app: string, code: number | null): HostError {
  const name = app.slice(0, 100);
  const message =
    code === null
      ? msg('computer.appEndedBySignal', { app: name })
      : msg('computer.appEndedWithCode', { app: name, code });
  return new HostError('conflict', 'app_ended', message);
}
