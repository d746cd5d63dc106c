import type { BrowserWindow } from 'electron';

/** A page that asks to stay may be saving: it is asked again after this. */
const savingMs = 1_000;
/** A page that answers nothing for so long has nothing left to ask. */
const answerLimitMs = 10_000;

/**
 * Leaving the page of a window. Electron keeps a window open without a word when its page asks to stay
 * (`beforeunload`), unless somebody listens for it.
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

  /** Closes the window; false where the person keeps editing. */
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
