import type { BrowserWindow, WebContents } from 'electron';
import { modelWindowOptions } from '../window.ts';

/**
 * Receives a protocol event. `child` is the session of the frame or worker that sent it; '' is the
 * page itself.
 */
export type PageEventListener = (method: string, params: object, child: string) => void;

/** Listeners for one page. */
export interface ModelPageEvents {
  onEvent: PageEventListener;
  /** The page opened a window after an input event. */
  opened: (window: BrowserWindow) => void;
  gone: () => void;
}

/** How long after an input event a page may open a window, as in Chromium. */
const activationMs = 5_000;
const acting = new Set(['Input.dispatchMouseEvent', 'Input.dispatchKeyEvent']);

/** An offscreen window that the DevTools protocol drives. */
export class ModelPage {
  /** Target id of the page in the protocol. */
  readonly id: string;
  private readonly window: BrowserWindow;
  private actedAtMs = -Infinity;

  static async open(window: BrowserWindow, events: ModelPageEvents): Promise<ModelPage> {
    const { debugger: line } = window.webContents;
    line.attach('1.3');
    const { frameTree } = (await line.sendCommand('Page.getFrameTree')) as {
      frameTree: { frame: { id: string } };
    };
    return new ModelPage(window, frameTree.frame.id, events);
  }

  private constructor(window: BrowserWindow, id: string, events: ModelPageEvents) {
    this.window = window;
    this.id = id;
    const contents = window.webContents;
    contents.debugger.on('message', (_event, method, params: object, child: string | undefined) =>
      events.onEvent(method, params, child ?? ''),
    );
    contents.debugger.on('detach', () => this.close());
    contents.setWindowOpenHandler(() => {
      if (!this.wasActedIn()) return { action: 'deny' };
      const overrideBrowserWindowOptions = modelWindowOptions(contents.session);
      return { action: 'allow', overrideBrowserWindowOptions };
    });
    contents.on('did-create-window', events.opened);
    window.on('closed', events.gone);
  }

  get contents(): WebContents {
    return this.window.webContents;
  }

  /** Ids of the processes that run the frames of the page. */
  get processes(): number[] {
    if (this.window.isDestroyed()) return [];
    try {
      return this.contents.mainFrame.framesInSubtree.map(({ osProcessId }) => osProcessId);
    } catch {
      // A frame whose process has exited throws.
      return [];
    }
  }

  send(method: string, params: object | undefined, child: string): Promise<unknown> {
    if (acting.has(method)) this.actedAtMs = performance.now();
    const { debugger: line } = this.contents;
    return child === ''
      ? line.sendCommand(method, params)
      : line.sendCommand(method, params, child);
  }

  /** Closes the window at once, without `beforeunload`. */
  close(): void {
    if (!this.window.isDestroyed()) this.window.destroy();
  }

  /** Each input event allows one window. */
  private wasActedIn(): boolean {
    const isFresh = performance.now() - this.actedAtMs < activationMs;
    this.actedAtMs = -Infinity;
    return isFresh;
  }
}
