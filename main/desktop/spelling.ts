import type { Session } from 'electron';

/** Where Chromium fetches dictionaries. Set by name, since an address that was set cannot be taken back. */
const dictionaryServer = 'https://redirector.gvt1.com/edgedl/chrome/dict/';
/** Leads to no network: a session asks for dictionaries as soon as it exists, spelling on or off. */
const noDictionaries = 'app://shell/no-dictionaries/';

/** Chinese has no dictionary, and its texts hold English words. */
const languagesFor: Record<string, readonly string[]> = { de: ['de', 'en-US'] };
const otherwise = ['en-US'];

/** Electron has one address of dictionaries for all sessions. */
let mayDownload = false;

/** For every session as it is made: nothing is checked, and nothing fetched that no person agreed to. */
export function startWithoutSpelling(
  session: Session,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'darwin') return session.setSpellCheckerEnabled(true);
  if (!mayDownload) session.setSpellCheckerDictionaryDownloadURL(noDictionaries);
  session.setSpellCheckerLanguages([]);
  session.setSpellCheckerEnabled(false);
}

export interface SpellingWishes {
  /** A person agreed that dictionaries are fetched. */
  mayDownload: boolean;
  /** That of the app. */
  language: string;
}

/**
 * Elsewhere than on macOS, whose own checker needs none, Chromium fetches dictionaries from a server of
 * its makers: only where a person says so.
 */
export function followSpelling(
  session: Session,
  wishes: SpellingWishes,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'darwin') return session.setSpellCheckerEnabled(true);
  ({ mayDownload } = wishes);
  if (!mayDownload) return startWithoutSpelling(session, platform);
  session.setSpellCheckerDictionaryDownloadURL(dictionaryServer);
  const wanted = languagesFor[wishes.language] ?? otherwise;
  const { availableSpellCheckerLanguages: available } = session;
  session.setSpellCheckerLanguages(wanted.filter((language) => available.includes(language)));
  session.setSpellCheckerEnabled(true);
}
