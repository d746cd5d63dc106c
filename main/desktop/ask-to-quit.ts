import { type BrowserWindow, dialog, type MessageBoxReturnValue } from 'electron';
import { oneQuestion } from './one-question.ts';
import { desktopTexts, readLanguage } from './desktop-text.ts';
import type { QuitChoice } from './quit-choice.ts';

/** Callbacks that `AskToQuit` needs from the app. */
export interface QuitParts {
  /** Null while the app has no window, for example while it is only in the tray. */
  window: () => BrowserWindow | null;
  activeRuns: () => number;
  /** Schedules that do not run after the app has quit. */
  activeSchedules: () => number;
  /** Null before the window was opened for the first time. */
  choice: () => QuitChoice | null;
  language: () => string;
  /** Closes the window; false if the person keeps editing. */
  leave: () => Promise<boolean>;
  end: () => void;
}

/**
 * Quits the app on a person's request. Asks once about active runs and schedules, and once about
 * unsaved edits.
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
      if ((await this.mayStop()) && (await this.parts.leave())) this.parts.end();
    } finally {
      this.isAsking = false;
    }
  }

  /** Asks one question about runs and schedules. A person can turn it off for schedules alone. */
  private async mayStop(): Promise<boolean> {
    const [runs, schedules] = [this.parts.activeRuns(), this.parts.activeSchedules()];
    const choice = this.parts.choice();
    if (runs === 0 && schedules === 0) return true;
    if (runs === 0 && (await choice?.asksAboutSchedules()) === false) return true;
    const answer = await this.askToStop(runs, schedules);
    if (answer?.response !== 0) return false;
    // If this cannot be stored, the app asks again the next time.
    if (runs === 0 && answer.checkboxChecked)
      await choice?.stopAskingAboutSchedules().catch(() => undefined);
    return true;
  }

  private async askToStop(runs: number, schedules: number): Promise<MessageBoxReturnValue | null> {
    const language = this.parts.language();
    await readLanguage(language);
    const text = desktopTexts(language);
    const details = [
      ...(runs > 0 ? [text('desktop.runsActiveDetail')] : []),
      ...(schedules > 0 ? [text('desktop.schedulesActiveDetail')] : []),
    ];
    const options = {
      type: 'question' as const,
      message:
        runs > 0
          ? text('desktop.runsActive', { count: runs })
          : text('desktop.schedulesActive', { count: schedules }),
      detail: details.join(' '),
      ...(runs === 0 ? { checkboxLabel: text('desktop.schedulesStopAsking') } : {}),
      buttons: [text('desktop.quit'), text('desktop.cancel')],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    };
    const window = this.parts.window();
    return oneQuestion(window ?? this, () =>
      window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options),
    );
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
