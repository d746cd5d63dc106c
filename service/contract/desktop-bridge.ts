/** API of the desktop app for the shell page, as `window.hostBridge`; undefined in a browser. */
export interface HostBridge {
  /** Empty: the service has the same origin as the shell. */
  readonly baseUrl: '';
  /**
   * Opens the file chooser of the system; null if it is closed. The path can be granted afterwards.
   */
  pickPath(request: PathRequest): Promise<string | null>;
  /**
   * Returns the path of a `File` that was dropped or pasted; null if it has none. The path can be
   * granted afterwards.
   */
  pathOf(file: object): Promise<string | null>;
  /**
   * Asks where to save; null if the dialog is closed, otherwise the id for `writeSave` and
   * `endSave`.
   */
  chooseSave(fileName: string): Promise<string | null>;
  /** Appends to the file. Rejects if writing fails. */
  writeSave(id: string, bytes: Uint8Array): Promise<void>;
  /** Completes the file; with `whole: false` it is discarded. */
  endSave(id: string, whole: boolean): Promise<void>;
  /** Shows the address and opens it in the browser if the person agrees; false otherwise. */
  openExternal(address: string): Promise<boolean>;
  /** Returns which desktop settings have an effect on this system. */
  facts(): Promise<DesktopFacts>;
  /** Subscribes to packages that the person opens with the app, including earlier ones. */
  onPackage(listener: (path: string) => void): void;
  /** Subscribes to routes of the shell that the system opens, such as `/agent/<id>`. */
  onNavigate(listener: (path: string) => void): void;
  /**
   * Subscribes to ids of store plugins that a link asks to install; a person confirms the
   * installation.
   */
  onInstall(listener: (pluginId: string) => void): void;
}

/** Features of this computer that desktop settings depend on. */
export interface DesktopFacts {
  /** True for packages, which can start at login; false when the program runs from sources. */
  startsAtLogin: boolean;
  hasKeyring: boolean;
  /** False if the system checks spelling itself. */
  fetchesDictionaries: boolean;
}

/** Kind of path to choose. */
export interface PathRequest {
  kind: 'file' | 'directory';
}

/** IPC channels for requests of the page; only the shell's own page is answered. */
export const bridgeChannels = {
  pickPath: 'host:pick-path',
  dropped: 'host:dropped',
  chooseSave: 'host:choose-save',
  writeSave: 'host:write-save',
  endSave: 'host:end-save',
  openExternal: 'host:open-external',
  facts: 'host:facts',
  ready: 'host:ready',
} as const;

/** IPC channels for events to the page. */
export const bridgeEvents = {
  package: 'host:package',
  navigate: 'host:place',
  install: 'host:install',
} as const;
