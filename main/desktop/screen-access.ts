import { systemPreferences } from 'electron';
import type { ScreenAccess } from '../../service/platform/desktop.ts';

/** Systems that ask a person before a program sees the screen. */
export const asksForScreen = process.platform === 'darwin' || process.platform === 'win32';

/** As it stands; nobody is asked. */
export const screenAccess = (): ScreenAccess => ({
  screen: systemPreferences.getMediaAccessStatus('screen'),
  input:
    process.platform === 'darwin' ? systemPreferences.isTrustedAccessibilityClient(false) : null,
});
