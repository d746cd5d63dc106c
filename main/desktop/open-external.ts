import { type BrowserWindow, dialog, shell } from 'electron';
import { desktopTexts } from './desktop-text.ts';
import { oneQuestion } from './one-question.ts';

const schemes = ['https:', 'http:', 'mailto:'];
const mostCharacters = 2_000;

/** Returns the address if it may be opened outside the app, else null. */
export function externalAddress(address: string): string | null {
  if (address.length > mostCharacters || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (!schemes.includes(url.protocol) || url.username + url.password !== '') return null;
  return url.href;
}

/** Opens a program of this machine for a call of a model that was approved. */
export const openProgram = (path: string): Promise<string> => shell.openPath(path);

/**
 * Opens an address in the system's browser; the only place that does so. A person confirms the
 * whole address first, because a page may have made it. Returns false if it was not opened.
 */
export async function openExternal(
  window: BrowserWindow,
  address: string,
  language = 'en',
): Promise<boolean> {
  const url = externalAddress(address);
  if (url === null) return false;
  const text = desktopTexts(language);
  const answer = await oneQuestion(window, () =>
    dialog.showMessageBox(window, {
      type: 'question',
      message: text('desktop.openOutside'),
      detail: url,
      buttons: [text('desktop.open'), text('desktop.cancel')],
      defaultId: 0,
      cancelId: 1,
      noLink: true,
    }),
  );
  if (answer?.response !== 0) return false;
  await shell.openExternal(url);
  return true;
}
