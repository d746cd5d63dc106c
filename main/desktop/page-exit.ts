import type { BrowserWindow } from 'electron';

/** A page that asks to stay may be saving; it is asked again after this time. */
const savingMs = 1_000;
/** A page that does not answer for this long is closed without asking. */
const answerLimitMs = 10_000;

/**
 * Leaves the page of a window. Without a listener Electron silently keeps a window open when its
 * page asks to stay (`beforeunload`).
 */
export class PageExit {
  private readonly window: BrowserWindow;
  private readonly mayDiscard: () => Promise<boolean>;
  private isDiscarded = false;
  private stays: (() => void) | null = null;

  constructor(window: BrowserWindow, mayDiscard: () => Promise<boolean>) {
    this.window = window;
    this.mayDiscard = mayDiscard;
    window.webContents.on('will-prevent-unload', (event) => {
      if (this.isDiscarded) event.preventDefault();
      else this.stays?.();
    });
  }

  /** Closes the window; false if the person keeps editing. */
  async close(): Promise<boolean> {
    if (await this.tryToClose()) return true;
    await new Promise((resolve) => setTimeout(resolve, savingMs));
    if (this.window.isDestroyed() || (await this.tryToClose())) return true;
    if (!(await this.mayDiscard())) return false;
    this.isDiscarded = true;
    return this.window.isDestroyed() || this.tryToClose();
  }

  private tryToClose(): Promise<boolean> {
    const { window } = this;
    return new Promise((resolve) => {
      const limit = setTimeout(() => window.destroy(), answerLimitMs);
      const end = (closed: boolean): void => {
        clearTimeout(limit);
        this.stays = null;
        resolve(closed);
      };
      this.stays = () => end(false);
      window.once('closed', () => end(true));
      window.close();
    });
  }
}
