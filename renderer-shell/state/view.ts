import type { Store } from '../core/store.ts';
import { createStore } from '../core/store.ts';

/** A package of this machine, on the desktop. */
export interface PackagePath {
  path: string;
}

/** What is open besides the content. */
export interface View {
  dialog: 'palette' | 'shortcuts' | 'about' | null;
  /** The list, where the window is too narrow to show it beside the content. */
  listOpen: boolean;
  /** What is searched for among the installed plugins, in their list and on their grid. */
  pluginQuery: string;
  logsOpen: boolean;
  /** Whether text is looked for in what is shown. */
  finding: boolean;
  notificationsOpen: boolean;
  /** Files that were chosen or dropped for an installation, or one that the desktop was opened with. */
  install: File[] | PackagePath | null;
  /** The plugin that is about to be uninstalled. */
  uninstall: string | null;
  /** The plugin whose settings are open. */
  configure: string | null;
}

export interface ViewStore extends Store<View> {
  patch(change: Partial<View>): void;
}

export function createViewStore(): ViewStore {
  const store = createStore<View>({
    dialog: null,
    listOpen: false,
    pluginQuery: '',
    logsOpen: false,
    finding: false,
    notificationsOpen: false,
    install: null,
    uninstall: null,
    configure: null,
  });
  return { ...store, patch: (change) => store.set({ ...store.get(), ...change }) };
}
