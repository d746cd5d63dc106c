import type { Store } from '../store.ts';
import { createStore } from '../store.ts';

/** What is open besides the content. */
export interface View {
  dialog: 'palette' | 'shortcuts' | 'about' | null;
  /** The list, where the window is too narrow to show it beside the content. */
  listOpen: boolean;
  logsOpen: boolean;
  notificationsOpen: boolean;
  /** Files that were chosen or dropped for an installation. */
  install: File[] | null;
  /** The plugin that is about to be uninstalled. */
  uninstall: string | null;
}

export interface ViewStore extends Store<View> {
  patch(change: Partial<View>): void;
}

export function createViewStore(): ViewStore {
  const store = createStore<View>({
    dialog: null,
    listOpen: false,
    logsOpen: false,
    notificationsOpen: false,
    install: null,
    uninstall: null,
  });
  return { ...store, patch: (change) => store.set({ ...store.get(), ...change }) };
}
