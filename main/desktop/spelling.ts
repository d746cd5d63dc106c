import type { Session } from 'electron';

/** Languages that are checked once a person wants that; Chinese needs no dictionary. */
const languages = ['en-US'];

/**
 * Elsewhere than on macOS, whose own checker needs none, Chromium fetches dictionaries from a server of
 * its makers: only where a person says so.
 */
export function followSpelling(
  session: Session,
  mayDownload: boolean,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'darwin') return session.setSpellCheckerEnabled(true);
  session.setSpellCheckerLanguages(mayDownload ? languages : []);
  session.setSpellCheckerEnabled(mayDownload);
}
