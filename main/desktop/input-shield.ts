import type { WebContents } from 'electron';

/** Time for pressed keys to arrive at the window. */
const lastMs = 300;
/** Longer than any call. If a call never ends, the person gets the window back after this. */
const longestMs = 60_000;

/**
 * Blocks keyboard and mouse input of the shell while a model controls the computer, so that a model
 * cannot approve its own calls.
 */
export class InputShield {
  private isUp = false;
  private timer: NodeJS.Timeout | undefined;

  /** Called when a model starts and stops pressing keys. */
  follow(pressing: boolean): void {
    clearTimeout(this.timer);
    if (pressing) this.isUp = true;
    const fall = (): void => void (this.isUp = false);
    this.timer = setTimeout(fall, pressing ? longestMs : lastMs).unref();
  }

  guard(contents: WebContents): void {
    const refuse = (event: { preventDefault(): void }): void => {
      if (this.isUp) event.preventDefault();
    };
    contents.on('before-input-event', refuse);
    contents.on('before-mouse-event', refuse);
  }
}
