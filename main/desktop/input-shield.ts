import type { WebContents } from 'electron';

/** For what was pressed to arrive at the window. */
const lastMs = 300;
/** Longer than any call presses; the person gets the window back however a call ends. */
const longestMs = 60_000;

/**
 * While a model presses keys and buttons none of them reach the shell: what it may do is decided there,
 * by a person.
 */
export class InputShield {
  private isUp = false;
  private timer: NodeJS.Timeout | undefined;

  /** Told when a model begins to press, and when it has ended. */
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
