import { languageOf } from '../../../service/contract/languages.ts';
import type { Look } from './look.ts';
import { toldLook } from './told-look.ts';

const KEY = 'shell.look';

type Page = Pick<Window, 'localStorage' | 'navigator' | 'matchMedia'>;

/** How the page begins, so that it does not flash before the settings are there: as it is told, or as it looked last time. */
export function firstLook(page: Page & Pick<Window, 'document'>): Look {
  const told = toldLook(page);
  return told === null || told === 'setup' ? rememberedLook(page) : told;
}

/** Where it is seen for the first time, it looks as the system does. */
function rememberedLook(page: Page): Look {
  const language = languageOf(page.navigator.language);
  const isDark = page.matchMedia('(prefers-color-scheme: dark)').matches;
  const fresh: Look = { theme: isDark ? 'dark' : 'light', language, sidebarCollapsed: false };
  try {
    const kept = JSON.parse(page.localStorage.getItem(KEY) ?? '{}') as Partial<Look>;
    return {
      theme: kept.theme === 'dark' || kept.theme === 'light' ? kept.theme : fresh.theme,
      language: kept.language ? languageOf(kept.language) : fresh.language,
      sidebarCollapsed: kept.sidebarCollapsed === true,
    };
  } catch {
    return fresh;
  }
}

export function rememberLook(page: Pick<Window, 'localStorage'>, look: Look): void {
  try {
    page.localStorage.setItem(KEY, JSON.stringify(look));
  } catch {
    // Without storage the next start begins with the defaults; nothing else depends on it.
  }
}
