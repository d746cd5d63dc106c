import { readLanguage, textIn } from '../../service/app/index.ts';
import type { MessageCode, Parameter } from '../../service/messages/index.ts';

/** Returns a text by its code; see `desktopTexts`. */
export type DesktopText = (
  code: MessageCode,
  parameters?: Readonly<Record<string, Parameter>>,
) => string;

/**
 * Returns the texts that the system shows for the app, in that language; English until
 * `readLanguage` has loaded it.
 */
export const desktopTexts =
  (language: string): DesktopText =>
  (code, parameters) =>
    textIn(language, parameters === undefined ? { code } : { code, parameters });

export { readLanguage };
