import { useSyncExternalStore } from 'react';
import type { Language } from '../../../service/messages/languages.ts';
import type { Translate } from './texts.ts';
import { translator } from './translator.ts';

/** Returns the texts in the language of the page; renders again when it changes. */
export function useTranslation(): { t: Translate; language: Language } {
  const t = useSyncExternalStore(
    translator.subscribe,
    () => translator.t,
    () => translator.t,
  );
  return { t, language: translator.language };
}
