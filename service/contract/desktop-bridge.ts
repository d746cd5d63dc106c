/** What the shell page finds as `window.hostBridge` on the desktop, and nowhere else. */
export interface HostBridge {
  /** The service, seen from the shell's own origin. */
  readonly baseUrl: '';
  /** Opens the system's chooser; null when it is closed. The path may be granted from then on. */
  pickPath(request: PathRequest): Promise<string | null>;
  /** Of a `File` that a person dropped or pasted; null for one that lies nowhere. It may be granted from then on. */
  pathOf(file: object): Promise<string | null>;
  /** Asks where to save; null when that is closed, else the id that the next two take. */
  chooseSave(fileName: string): Promise<string | null>;
  /** Appends. Rejects when the disk does not take it. */
  writeSave(id: string, bytes: Uint8Array): Promise<void>;
  /** The file is there whole, or with `whole: false` not at all. */
  endSave(id: string, whole: boolean): Promise<void>;
  /** Shows the address and, when the person agrees, opens it outside; false when not. */
  openExternal(address: string): Promise<boolean>;
  /** Desktop settings that have an effect on this system. */
  facts(): Promise<DesktopFacts>;
  /** Called with each package that the person opened with the app, also before. */
  onPackage(listener: (path: string) => void): void;
  /** Called with each place in the shell that the system asks for, such as `/agent/<id>`. */
  onNavigate(listener: (path: string) => void): void;
  /** Called with the id of each plugin of the store that a link asks to install; a person decides. */
  onInstall(listener: (pluginId: string) => void): void;
}

export interface DesktopFacts {
  /** A package can be started with the session, a program of developers cannot. */
  startsAtLogin: boolean;
  hasKeyring: boolean;
  /** False where the system itself checks spelling. */
  fetchesDictionaries: boolean;
}

export interface PathRequest {
  kind: 'file' | 'directory';
}

/** The names under which the page asks; each is answered for the shell's own page alone. */
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

/** The names under which the page is told. */
export const bridgeEvents = {
  package: 'host:package',
  navigate: 'host:place',
  install: 'host:install',
} as const;
