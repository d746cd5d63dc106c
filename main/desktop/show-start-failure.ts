import { app, dialog } from 'electron';
import { HostError, messagesFor } from '../../service/app/index.ts';
import { isMessage } from '../../service/messages/index.ts';
import { LockedError } from '../instance-lock.ts';
import { desktopTexts } from './desktop-text.ts';

/** Nobody may be there to close it. */
const dialogLimitMs = 60_000;

/**
 * Tells why the app could not start to whoever opened it from a menu, where nobody reads what it writes.
 * Resolves once that was read; never rejects.
 */
export async function showStartFailure(error: unknown): Promise<void> {
  // The window that is there already comes to the front.
  const isSecond = error instanceof LockedError && !app.hasSingleInstanceLock();
  if (!app.isReady() || process.stderr.isTTY || isSecond) return;
  const language = app.getLocale();
  const detail = error instanceof Error ? error.message : String(error);
  const isOfHost = error instanceof HostError || error instanceof LockedError;
  const message = isOfHost && isMessage(error.text) ? error.text : undefined;
  const inLanguage = await messagesFor(language);
  await dialog
    .showMessageBox({
      type: 'error',
      message: desktopTexts(language)('desktop.notStarted'),
      detail: inLanguage(message, detail),
      signal: AbortSignal.timeout(dialogLimitMs),
    })
    .catch(() => undefined);
}
