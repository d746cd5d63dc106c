import { type BrowserWindow, dialog } from 'electron';
import { shellUrl } from './shell-scheme.ts';
import { PageExit } from './page-exit.ts';
import { createShellWindow } from './window.ts';
import { keepPlace, lastPlace } from './window-place.ts';
import type { WindowNews } from './window-news.ts';
import { desktopTexts } from './desktop-text.ts';
import type { MessageCode } from '../../service/messages/index.ts';

/** Options of the one window, with callbacks for each step of its life. */
export interface ShellWindowOptions {
  preload: string;
  /** Where its place is remembered. */
  placeFile: string;
  news: WindowNews;
  language: () => string;
  /** Whether closing it hides it. */
  staysHidden: () => boolean;
  hide: (window: BrowserWindow) => void;
  /** A person closes it, and it does not stay hidden. */
  closing: () => void;
  /** Whether the person lets go of edits that could not be saved. */
  mayDiscard: (window: BrowserWindow) => Promise<boolean>;
  /** Told before anything is loaded into it. */
  made: (window: BrowserWindow) => void;
  /** Told when it is closed, not only hidden. */
  closed: () => void;
  /** Told when its page has gone, for whatever it left behind. */
  pageGone: () => void;
  report: (what: string, error: unknown) => void;
}

/** A page that falls so often in so long is not loaded again by itself. */
const mostFalls = 3;
const fallsWithinMs = 60_000;

/** The one window: made when it is wanted, hidden or closed, and loaded again when its page falls. */
export class ShellWindow {
  private readonly options: ShellWindowOptions;
  private window: BrowserWindow | null = null;
  private opening: Promise<void> | null = null;
  /** Its page has gone and is not loaded again by itself. */
  private isEmpty = false;
  private loads = 0;
  private falls: number[] = [];
  private isEnding = false;
  private exit: PageExit | null = null;
  private isLeaving = false;

  constructor(options: ShellWindowOptions) {
    this.options = options;
  }

  get current(): BrowserWindow | null {
    return this.window;
  }

  /** In front of the others; made where there is none, and loaded again where it shows nothing. */
  async show(): Promise<void> {
    if (this.isEnding) return;
    const { window } = this;
    // Whoever wants it while it is made waits for the same one.
    if (!window) return (this.opening ??= this.open());
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (this.isEmpty) await this.load(window);
  }

  /** Closes it, however it is closed otherwise; false where a person keeps editing. */
  async leave(): Promise<boolean> {
    if (this.exit === null) return true;
    this.isLeaving = true;
    try {
      return await this.exit.close();
    } finally {
      this.isLeaving = false;
    }
  }

  /** From now on closing it closes it, and none is made. */
  end(): void {
    this.isEnding = true;
  }

  private async open(): Promise<void> {
    const { preload, boundsFile: placeFile, report } = this.options;
    const bounds = await lastBounds(placeFile);
    this.opening = null;
    if (this.isEnding) return;
    const window = createShellWindow(preload, bounds);
    this.window = window;
    this.options.made(window);
    if (bounds?.maximized === true) window.maximize();
    storeBounds(window, placeFile, (error) => report('The place of the window is not kept', error));
    this.exit = new PageExit(window, () => this.options.mayDiscard(window));
    window.on('close', (event) => {
      if (this.isEnding || this.isLeaving) return;
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
    window.on('unresponsive', () => report('The page of the shell does not answer', undefined));
    window.once('ready-to-show', () => window.show());
    await this.load(window);
  }

  private async load(window: BrowserWindow): Promise<void> {
    this.isEmpty = false;
    const load = (this.loads += 1);
    try {
      await window.loadURL(shellUrl);
    } catch (error) {
      // Closed meanwhile, or another load took its place.
      if (window.isDestroyed() || this.isEnding || load !== this.loads) return;
      if (this.isEmpty || (error as { code?: string }).code === 'ERR_ABORTED') return;
      this.isEmpty = true;
      this.options.trouble('The shell cannot be opened', error);
      this.tell('desktop.notOpened', String(error));
    }
  }

  /** Never in an error box: that keeps the process, and with it the service, waiting for the person. */
  private tell(code: MessageCode, reason?: string): void {
    const text = desktopTexts(this.options.language());
    dialog
      .showMessageBox({
        type: 'error',
        message: text(code),
        detail: reason ?? text('desktop.keepsCrashingDetail'),
      })
      .catch((error: unknown) => this.options.trouble(code, error));
  }

  private pageGone(): void {
    this.options.news.reset();
    this.options.pageGone();
  }

  /** The service and all that runs in it go on meanwhile. */
  private reloadAfterFalls(window: BrowserWindow): void {
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit') return;
      this.options.report(`The page of the shell has fallen (${reason}, ${exitCode})`, undefined);
      this.pageGone();
      const nowMs = performance.now();
      this.falls = [...this.falls.filter((atMs) => nowMs - atMs < fallsWithinMs), nowMs];
      if (this.falls.length <= mostFalls) return void this.load(window);
      this.isEmpty = true;
      this.tell('desktop.keepsCrashing');
    });
    window.webContents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) this.pageGone();
    });
  }
}
