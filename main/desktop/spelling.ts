import type { Session } from 'electron';

/**
 * Chromium's dictionary server. Named here because Electron cannot reset the address once it was
 * changed.
 */
const dictionaryServer = 'https://redirector.gvt1.com/edgedl/chrome/dict/';
/**
 * An address without network. Each new session requests dictionaries at once, even with spelling
 * off.
 */
const noDictionaries = 'app://shell/no-dictionaries/';

/** Dictionaries by language of the app. Chinese has none, but its texts contain English words. */
const languagesFor: Record<string, readonly string[]> = { de: ['de', 'en-US'] };
const otherwise = ['en-US'];

/** Electron has one dictionary address for all sessions. */
let mayDownload = false;

/** Turns spelling and downloads of dictionaries off for every new session until a person agrees. */
export function startWithoutSpelling(
  session: Session,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'darwin') return session.setSpellCheckerEnabled(true);
  if (!mayDownload) session.setSpellCheckerDictionaryDownloadURL(noDictionaries);
  session.setSpellCheckerLanguages([]);
  session.setSpellCheckerEnabled(false);
}

/** Spelling settings. */
export interface SpellingWishes {
  /** True if the person allows downloads of dictionaries. */
  mayDownload: boolean;
  /** Language of the app. */
  language: string;
}

/**
 * Applies the spelling settings. macOS has a checker of its own; elsewhere Chromium downloads
 * dictionaries from Google, so this needs consent.
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
