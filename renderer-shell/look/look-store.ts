import type { Store } from '../store.ts';
import { createStore } from '../store.ts';
import { speak } from '../words/words.ts';
import type { Look } from './remembered-look.ts';
import { rememberedLook, rememberLook } from './remembered-look.ts';

export type LookStore = Store<Look>;

/** Theme and language of the page; a change is remembered and takes effect at once. */
export function createLookStore(page: Window): LookStore {
  const store = createStore(rememberedLook(page));
  const apply = (look: Look) => {
    page.document.documentElement.lang = look.language;
    void speak(look.language);
  };
  apply(store.get());
  return {
    ...store,
    set: (look) => {
      const now = store.get();
      if (look.theme === now.theme && look.language === now.language) return;
      store.set(look);
      rememberLook(page, look);
      apply(look);
    },
  };
}
