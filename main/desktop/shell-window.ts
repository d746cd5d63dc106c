import { type BrowserWindow, dialog } from 'electron';
import { shellUrl } from './shell-scheme.ts';
import { PageExit } from './page-exit.ts';
import { createShellWindow } from './window.ts';
import { readBounds, trackBounds } from './window-bounds.ts';
import type { WindowNews } from './window-news.ts';
import { desktopTexts } from './desktop-text.ts';
import type { MessageCode } from '../../service/messages/index.ts';

/** Options and callbacks of the shell window. */
export interface ShellWindowOptions {
  preload: string;
  /** File that stores the position of the window. */
  boundsFile: string;
  news: WindowNews;
  language: () => string;
  /** Returns true if closing the window only hides it. */
  staysHidden: () => boolean;
  hide: (window: BrowserWindow) => void;
  /** Called when a person closes the window and it is not hidden instead. */
  closing: () => void;
  /** Asks whether edits that could not be saved may be discarded. */
  mayDiscard: (window: BrowserWindow) => Promise<boolean>;
  /** Called before the window loads anything. */
  made: (window: BrowserWindow) => void;
  /** Called when the window is closed, not when it is only hidden. */
  closed: () => void;
  /** Called when the page has crashed or gone, to clean up after it. */
  pageGone: () => void;
  reportError: (what: string, error: unknown) => void;
}

/** A page that crashes more often than this within the period is not reloaded automatically. */
const mostFalls = 3;
const fallsWithinMs = 60_000;

/** The shell window: created on demand, hidden or closed, and reloaded when its page crashes. */
export class ShellWindow {
  private readonly options: ShellWindowOptions;
  private window: BrowserWindow | null = null;
  private opening: Promise<void> | null = null;
  /** True if the page has gone and is not reloaded automatically. */
  private isEmpty = false;
  private loads = 0;
  private falls: number[] = [];
  private isClosing = false;
  private exit: PageExit | null = null;
  private isLeaving = false;

  constructor(options: ShellWindowOptions) {
    this.options = options;
  }

  get current(): BrowserWindow | null {
    return this.window;
  }

  /** Brings the window to the front. Creates it if needed and reloads it if it is empty. */
  async show(): Promise<void> {
    if (this.isClosing) return;
    const { window } = this;
    // Concurrent calls share one opening window.
    if (!window) return (this.opening ??= this.open());
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (this.isEmpty) await this.load(window);
  }

  /** Closes the window, even where closing usually hides it; false if the person keeps editing. */
  async leave(): Promise<boolean> {
    if (this.exit === null) return true;
    this.isLeaving = true;
    try {
      return await this.exit.close();
    } finally {
      this.isLeaving = false;
    }
  }

  /** From now on, closing is final and no new window is created. */
  end(): void {
    this.isClosing = true;
  }

  private async open(): Promise<void> {
    const { preload, boundsFile, reportError } = this.options;
    const bounds = await readBounds(boundsFile);
    this.opening = null;
    if (this.isClosing) return;
    const window = createShellWindow(preload, bounds);
    this.window = window;
    this.options.made(window);
    if (bounds?.maximized === true) window.maximize();
    trackBounds(window, boundsFile, (error) =>
      reportError('The place of the window is not kept', error),
    );
    this.exit = new PageExit(window, () => this.options.mayDiscard(window));
    window.on('close', (event) => {
      if (this.isClosing || this.isLeaving) return;
      event.preventDefault();
      if (this.options.staysHidden()) this.options.hide(window);
      else this.options.closing();
    });
    window.on('closed', () => {
      this.window = null;
      this.exit = null;
      this.pageGone();
      this.options.closed();
    });
    this.reloadAfterFalls(window);
    window.on('unresponsive', () =>
      reportError('The page of the shell does not answer', undefined),
    );
    window.once('ready-to-show', () => window.show());
    await this.load(window);
  }

  private async load(window: BrowserWindow): Promise<void> {
    this.isEmpty = false;
    const load = (this.loads += 1);
    try {
      await window.loadURL(shellUrl);
    } catch (error) {
      // Closed in the meantime, or replaced by another load.
      if (window.isDestroyed() || this.isClosing || load !== this.loads) return;
      if (this.isEmpty || (error as { code?: string }).code === 'ERR_ABORTED') return;
      this.isEmpty = true;
      this.options.reportError('The shell cannot be opened', error);
      this.showMessage('desktop.notOpened', String(error));
    }
  }

  /** Not an error box, which would block the process and the service in it. */
  private showMessage(code: MessageCode, reason?: string): void {
    const text = desktopTexts(this.options.language());
    dialog
      .showMessageBox({
        type: 'error',
        message: text(code),
        detail: reason ?? text('desktop.keepsCrashingDetail'),
      })
      .catch((error: unknown) => this.options.reportError(code, error));
  }

  private pageGone(): void {
    this.options.news.reset();
    this.options.pageGone();
  }

  /** The service keeps running meanwhile. */
  private reloadAfterFalls(window: BrowserWindow): void {
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit') return;
      this.options.reportError(
        `The page of the shell has fallen (${reason}, ${exitCode})`,
        undefined,
      );
      this.pageGone();
      const nowMs = performance.now();
      this.falls = [...this.falls.filter((atMs) => nowMs - atMs < fallsWithinMs), nowMs];
      if (this.falls.length <= mostFalls) return void this.load(window);
      this.isEmpty = true;
      this.showMessage('desktop.keepsCrashing');
    });
    window.webContents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) this.pageGone();
    });
  }
}
