import type { Store } from '../store.ts';
import { createStore } from '../store.ts';
import { speak } from '../messages/words.ts';
import type { Look } from './look.ts';
import { firstLook, rememberLook } from './remembered-look.ts';

export type LookStore = Store<Look>;

const isSame = (one: Look, other: Look): boolean =>
  one.theme === other.theme &&
  one.language === other.language &&
  one.sidebarCollapsed === other.sidebarCollapsed;

/** Theme and language of the page; a change is remembered and takes effect at once. */
export function createLookStore(page: Window): LookStore {
  const store = createStore(firstLook(page));
  const apply = (look: Look) => {
    page.document.documentElement.lang = look.language;
    void speak(look.language);
  };
  apply(store.get());
  return {
    ...store,
    set: (look) => {
      const now = store.get();
      if (isSame(look, now)) return;
      store.set(look);
      rememberLook(page, look);
      apply(look);
    },
  };
}
