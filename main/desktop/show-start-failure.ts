import { app, dialog } from 'electron';
import { HostError, messagesFor } from '../../service/app/index.ts';
import { isMessage, msg } from '../../service/messages/index.ts';
import { LockedError } from '../instance-lock.ts';
import { desktopTexts } from './desktop-text.ts';
import { MissingSandboxError } from './switches.ts';

/** Closes the box after this time, as nobody may be there. */
const displayMs = 60_000;

/**
 * Shows why the app could not start, for starts from a menu where nobody reads stderr. Resolves
 * once the message is closed; never rejects.
 */
export async function showStartFailure(error: unknown): Promise<void> {
  // The existing window comes to the front instead.
  const isSecond = error instanceof LockedError && !app.hasSingleInstanceLock();
  if (process.stderr.isTTY || isSecond) return;
  // The dialog needs Electron to be ready. No page is loaded without the sandbox.
  const isWithoutSandbox = error instanceof MissingSandboxError;
  if (isWithoutSandbox) await app.whenReady();
  if (!app.isReady()) return;
  const language = app.getLocale();
  const detail = error instanceof Error ? error.message : String(error);
  const isOfHost = error instanceof HostError || error instanceof LockedError;
  const ofHost = isOfHost && isMessage(error.text) ? error.text : undefined;
  const message = isWithoutSandbox ? msg('desktop.noSandbox') : ofHost;
  const inLanguage = await messagesFor(language);
  await dialog
    .showMessageBox({
      type: 'error',
      message: desktopTexts(language)('desktop.notStarted'),
      detail: inLanguage(message, detail),
      signal: AbortSignal.timeout(displayMs),
    })
    .catch(() => undefined);
}
