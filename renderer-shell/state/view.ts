import type { Store } from '../core/store.ts';
import { createStore } from '../core/store.ts';

/** A package file on this machine; desktop only. */
export interface PackagePath {
  path: string;
}

/** Dialogs and panels that are open besides the content. */
export interface View {
  dialog: 'palette' | 'shortcuts' | 'about' | null;
  /** True if the list is open in a window too narrow to show it beside the content. */
  listOpen: boolean;
  /** The search text for installed plugins, in their list and on their grid. */
  pluginQuery: string;
  logsOpen: boolean;
  /** True if the find bar is open. */
  finding: boolean;
  notificationsOpen: boolean;
  /**
   * Files that were chosen or dropped for an installation, or a package that the desktop app was
   * opened with.
   */
  install: File[] | PackagePath | null;
  /** Id of the plugin whose removal needs a confirmation. */
  uninstall: string | null;
  /** Id of the plugin whose settings are open. */
  configure: string | null;
}

/** The store of the open dialogs and panels. */
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
