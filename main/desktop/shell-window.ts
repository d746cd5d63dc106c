import { type BrowserWindow, dialog } from 'electron';
import { shellUrl } from './shell-scheme.ts';
import { createShellWindow } from './window.ts';
import { keepPlace, lastPlace } from './window-place.ts';
import type { WindowNews } from './window-news.ts';

export interface ShellWindowOptions {
  preload: string;
  /** Where its place is remembered. */
  placeFile: string;
  news: WindowNews;
  /** Whether closing it hides it. */
  staysHidden: () => boolean;
  /** Told when it is closed, not only hidden. */
  closed: () => void;
  /** Told when its page has gone, for whatever it left behind. */
  pageGone: () => void;
  trouble: (what: string, error: unknown) => void;
}

/** A page that falls so often in so long is not loaded again by itself. */
const mostFalls = 3;
const fallsWithinMs = 60_000;

/** The one window: made when it is wanted, hidden or closed, and loaded again when its page falls. */
export class ShellWindow {
  private readonly options: ShellWindowOptions;
  private window: BrowserWindow | null = null;
  private falls: number[] = [];
  private isEnding = false;

  constructor(options: ShellWindowOptions) {
    this.options = options;
  }

  get current(): BrowserWindow | null {
    return this.window;
  }

  /** In front of the others; made where there is none. */
  async show(): Promise<void> {
    if (!this.window) return this.open();
    if (this.window.isMinimized()) this.window.restore();
    this.window.show();
    this.window.focus();
  }

  /** From now on closing it closes it. */
  end(): void {
    this.isEnding = true;
  }

  private async open(): Promise<void> {
    const { preload, placeFile, trouble } = this.options;
    const place = await lastPlace(placeFile);
    const window = createShellWindow(preload, place);
    this.window = window;
    if (place?.maximized === true) window.maximize();
    keepPlace(window, placeFile, (error) => trouble('The place of the window is not kept', error));
    window.on('close', (event) => {
      if (this.isEnding || !this.options.staysHidden()) return;
      event.preventDefault();
      window.hide();
    });
    window.on('closed', () => {
      this.window = null;
      this.pageGone();
      this.options.closed();
    });
    this.reloadAfterFalls(window);
    window.on('unresponsive', () => trouble('The page of the shell does not answer', undefined));
    window.once('ready-to-show', () => window.show());
    await this.load(window);
  }

  private load(window: BrowserWindow): Promise<void> {
    return window
      .loadURL(shellUrl)
      .catch((error: unknown) => dialog.showErrorBox('The shell cannot be opened', String(error)));
  }

  private pageGone(): void {
    this.options.news.isGone();
    this.options.pageGone();
  }

  /** The service and all that runs in it go on meanwhile. */
  private reloadAfterFalls(window: BrowserWindow): void {
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit') return;
      this.options.trouble(`The page of the shell has fallen (${reason}, ${exitCode})`, undefined);
      this.pageGone();
      const nowMs = performance.now();
      this.falls = [...this.falls.filter((atMs) => nowMs - atMs < fallsWithinMs), nowMs];
      if (this.falls.length <= mostFalls) return void this.load(window);
      dialog.showErrorBox(
        'The window keeps falling',
        'It is not opened again by itself. What runs goes on; start Plugin Host again to see it.',
      );
    });
    window.webContents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) this.pageGone();
    });
  }
}
