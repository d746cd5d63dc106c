import type { Language } from '../words/words.ts';
import { languageOf } from '../words/words.ts';

const KEY = 'shell.look';

export interface Look {
  theme: 'light' | 'dark';
  language: Language;
}

/** How the page looked last time, so that it does not flash before the settings are there. */
export function rememberedLook(page: Pick<Window, 'localStorage' | 'navigator'>): Look {
  const fresh: Look = { theme: 'light', language: languageOf(page.navigator.language) };
  try {
    const kept = JSON.parse(page.localStorage.getItem(KEY) ?? '{}') as Partial<Look>;
    return {
      theme: kept.theme === 'dark' ? 'dark' : fresh.theme,
      language: kept.language ? languageOf(kept.language) : fresh.language,
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
