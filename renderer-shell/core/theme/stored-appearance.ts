import { languageOf } from '../../../service/messages/languages.ts';
import type { Appearance } from './appearance.ts';
import { injectedAppearance } from './injected-appearance.ts';

const KEY = 'shell.look';

type Page = Pick<Window, 'localStorage' | 'navigator' | 'matchMedia'>;

/**
 * Returns the appearance of the first frame, so that the page does not flash before the settings
 * arrive: from the service if it wrote one, else as stored by the last visit.
 */
export function initialAppearance(page: Page & Pick<Window, 'document'>): Appearance {
  const injected = injectedAppearance(page);
  return injected === null || injected === 'setup' ? storedAppearance(page) : injected;
}

/** On a first visit, follows the system. */
function storedAppearance(page: Page): Appearance {
  const language = languageOf(...page.navigator.languages);
  const isDark = page.matchMedia('(prefers-color-scheme: dark)').matches;
  const fresh: Appearance = { theme: isDark ? 'dark' : 'light', language, sidebarCollapsed: false };
  try {
    const stored = JSON.parse(page.localStorage.getItem(KEY) ?? '{}') as Partial<Appearance>;
    return {
      theme: stored.theme === 'dark' || stored.theme === 'light' ? stored.theme : fresh.theme,
      language: stored.language ? languageOf(stored.language) : fresh.language,
      sidebarCollapsed: stored.sidebarCollapsed === true,
    };
  } catch {
    return fresh;
  }
}

export function storeAppearance(page: Pick<Window, 'localStorage'>, appearance: Appearance): void {
  try {
    page.localStorage.setItem(KEY, JSON.stringify(appearance));
  } catch {
    // Without storage the next start uses the defaults; nothing else depends on it.
  }
}
