import type { Store } from '../store.ts';
import { createStore } from '../store.ts';
import { setLanguage } from '../messages/translator.ts';
import type { Appearance } from './appearance.ts';
import { initialAppearance, storeAppearance } from './stored-appearance.ts';

export type AppearanceStore = Store<Appearance>;

const isSame = (one: Appearance, other: Appearance): boolean =>
  one.theme === other.theme &&
  one.language === other.language &&
  one.sidebarCollapsed === other.sidebarCollapsed;

/** Creates the store of the page's theme and language; a change is saved and applied at once. */
export function createAppearanceStore(page: Window): AppearanceStore {
  const store = createStore(initialAppearance(page));
  const apply = (appearance: Appearance) => {
    page.document.documentElement.lang = appearance.language;
    void setLanguage(appearance.language);
  };
  apply(store.get());
  return {
    ...store,
    set: (appearance) => {
      const now = store.get();
      if (isSame(appearance, now)) return;
      store.set(appearance);
      storeAppearance(page, appearance);
      apply(appearance);
    },
  };
}
