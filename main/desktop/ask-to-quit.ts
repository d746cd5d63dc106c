import { type BrowserWindow, dialog } from 'electron';
import { oneQuestion } from './one-question.ts';
import { desktopTexts, readLanguage } from './desktop-text.ts';

/** Callbacks that `AskToQuit` needs from the app. */
export interface QuitParts {
  /** Null while the app has no window, for example while it is only in the tray. */
  window: () => BrowserWindow | null;
  activeRuns: () => number;
  language: () => string;
  /** Closes the window; false if the person keeps editing. */
  leave: () => Promise<boolean>;
  end: () => void;
}

/**
 * Quits the app on a person's request. Asks once about active runs and once about unsaved edits.
 */
export class AskToQuit {
  private readonly parts: QuitParts;
  private isAsking = false;

  constructor(parts: QuitParts) {
    this.parts = parts;
  }

  async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      if ((await this.mayStopRuns()) && (await this.parts.leave())) this.parts.end();
    } finally {
      this.isAsking = false;
    }
  }

  private async mayStopRuns(): Promise<boolean> {
    const count = this.parts.activeRuns();
    if (count === 0) return true;
    const language = this.parts.language();
    await readLanguage(language);
    const text = desktopTexts(language);
    const options = {
      type: 'question' as const,
      message: text('desktop.runsActive', { count }),
      detail: text('desktop.runsActiveDetail'),
      buttons: [text('desktop.quit'), text('desktop.cancel')],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    };
    const window = this.parts.window();
    const answer = await oneQuestion(window ?? this, () =>
      window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options),
    );
    return answer?.response === 0;
  }
}

/** Returns true if the person agrees to discard edits that the page could not save. */
export async function askToDiscard(window: BrowserWindow, language: string): Promise<boolean> {
  await readLanguage(language);
  const text = desktopTexts(language);
  const answer = await oneQuestion(window, () =>
    dialog.showMessageBox(window, {
      type: 'warning',
      message: text('desktop.unsaved'),
      detail: text('desktop.unsavedDetail'),
      buttons: [text('desktop.discard'), text('desktop.keepEditing')],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    }),
  );
  return answer?.response === 0;
}
