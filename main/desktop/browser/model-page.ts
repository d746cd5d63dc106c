import type { BrowserWindow, WebContents } from 'electron';
import { modelWindowOptions } from '../window.ts';

/** What a page says: an event of the protocol, and of which of its sessions; '' is its own. */
export type OnMessage = (method: string, params: object, child: string) => void;

/** Events of one page that a model drives, in the messages of the Chrome DevTools Protocol. */
export interface ModelPageEvents {
  onMessage: OnMessage;
  /** The page opened a window, after somebody acted in it. */
  opened: (window: BrowserWindow) => void;
  gone: () => void;
}

/** As long as a click lets a page open a window. */
const activationMs = 5_000;
const acting = new Set(['Input.dispatchMouseEvent', 'Input.dispatchKeyEvent']);

/** One window that nobody sees, driven by the DevTools protocol. */
export class ModelPage {
  /** Of the page, as the protocol names it. */
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
      events.onMessage(method, params, child ?? ''),
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

  /** The processes that its frames run in. */
  get processes(): number[] {
    if (this.window.isDestroyed()) return [];
    try {
      return this.contents.mainFrame.framesInSubtree.map(({ osProcessId }) => osProcessId);
    } catch {
      // A frame whose process has gone tells nothing more.
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

  /** At once, whatever its scripts want. */
  close(): void {
    if (!this.window.isDestroyed()) this.window.destroy();
  }

  /** Each time is good for one window. */
  private wasActedIn(): boolean {
    const isFresh = performance.now() - this.actedAtMs < activationMs;
    this.actedAtMs = -Infinity;
    return isFresh;
  }
}
