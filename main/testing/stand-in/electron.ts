import { EventEmitter } from 'node:events';
import type {
  BrowserWindowConstructorOptions,
  CustomScheme,
  MenuItemConstructorOptions,
  Rectangle,
} from 'electron';

import { handedRequest, Loaders, type PageRequest } from './network.ts';
import { machine, resetMachine } from './screen.ts';

/** Replaces the module `electron` and records calls. README.md lists what it cannot simulate. */

type Handler = (...args: never[]) => unknown;

export class FakeSession extends EventEmitter {
  /** The last handler passed to each `set…Handler`. */
  readonly handlers = new Map<string, Handler>();
  setPermissionRequestHandler = (handler: Handler) => this.handlers.set('request', handler);
  setPermissionCheckHandler = (handler: Handler) => this.handlers.set('check', handler);
  setDevicePermissionHandler = (handler: Handler) => this.handlers.set('device', handler);
  setDisplayMediaRequestHandler = (handler: Handler) => this.handlers.set('display', handler);
  readonly webRequest = {
    onBeforeRequest: (handler: Handler) => this.handlers.set('before-request', handler),
  };
  proxy: { proxyRules?: string; proxyBypassRules?: string } = {};
  /** Id of the matching context in a real browser, if there is one. */
  context: string | null = null;
  dispose: (() => Promise<unknown>) | null = null;
  readonly cleared: string[] = [];
  setProxy = async (proxy: FakeSession['proxy']): Promise<void> => {
    this.proxy = proxy;
    await this.forget();
  };
  closeAllConnections = async (): Promise<void> => void this.cleared.push('connections');
  clearStorageData = async (): Promise<void> => {
    this.cleared.push('storage');
    await this.forget();
  };
  clearCache = async (): Promise<void> => void this.cleared.push('cache');
  clearAuthCache = async (): Promise<void> => void this.cleared.push('auth');
  clearHostResolverCache = async (): Promise<void> => void this.cleared.push('names');
  /** The language of the system until the app changes it. */
  spellChecker = { enabled: true, languages: ['en-US'] };
  readonly availableSpellCheckerLanguages = ['de', 'en-GB', 'en-US', 'fr'];
  setSpellCheckerEnabled = (enabled: boolean): void => void (this.spellChecker.enabled = enabled);
  /** Enables checking if any language is given; throws for an unknown one. */
  setSpellCheckerLanguages = (languages: string[]): void => {
    const unknown = languages.find((one) => !this.availableSpellCheckerLanguages.includes(one));
    if (unknown !== undefined)
      throw new Error(`Invalid language code provided: "${unknown}" is not a valid language code`);
    this.spellChecker = { enabled: languages.length > 0, languages };
    this.loadDictionaries();
  };
  setSpellCheckerDictionaryDownloadURL = (url: string): void => {
    if (!URL.canParse(url)) throw new Error('The URL you provided is not a valid URL');
    asked.dictionaryServer = url;
  };
  /** Starts with the session, even with spelling off; choosing other languages does not stop it. */
  loadDictionaries(): void {
    for (const language of this.spellChecker.languages)
      queueMicrotask(() => asked.dictionaries.push(`${asked.dictionaryServer}${language}.bdic`));
  }
  readonly learnt: string[] = [];
  addWordToSpellCheckerDictionary = (word: string): boolean => this.learnt.push(word) > 0;
  private async forget(): Promise<void> {
    const { dispose } = this;
    Object.assign(this, { context: null, dispose: null });
    await dispose?.().catch(() => undefined);
  }
}

export class FakeDebugger extends EventEmitter {
  private attached = false;
  /** Forwards commands to a real page, if there is one. */
  carry: ((method: string, params?: object, child?: string) => Promise<unknown>) | null = null;
  isAttached = (): boolean => this.attached;
  attach = (): void => void (this.attached = true);
  sendCommand(method: string, params?: object, child?: string): Promise<unknown> {
    if (!this.attached) throw new Error('No target available');
    return this.carry?.(method, params, child) ?? Promise.reject(new Error('target closed'));
  }
}

type OpenHandler = (details: { url: string }) => {
  action: string;
  overrideBrowserWindowOptions?: BrowserWindowConstructorOptions;
};

export class FakeContents extends EventEmitter {
  readonly mainFrame = {
    url: '',
    /** The process of each frame is unknown, so all of them are returned. */
    get framesInSubtree() {
      return asked.renderers().map(({ pid }) => ({ osProcessId: pid }));
    },
  };
  readonly sent: [string, unknown][] = [];
  readonly debugger = new FakeDebugger();
  webRtcPolicy = 'default';
  openHandler: OpenHandler | null = null;
  session: FakeSession = asked.defaultSession;
  /** Returns true if the page asks to stay when it is left (`beforeunload`). */
  beforeUnload: () => boolean | Promise<boolean> = () => false;
  /**
   * Leaves the page as the browser does: silently stays if the page asks to and no listener
   * overrides it.
   */
  leave(then: () => void): void {
    const follow = (asksToStay: boolean): void => {
      let leaves = !asksToStay;
      if (asksToStay) this.emit('will-prevent-unload', { preventDefault: () => (leaves = true) });
      if (leaves) then();
    };
    const answer = this.beforeUnload();
    if (typeof answer === 'boolean') follow(answer);
    else void answer.then(follow);
  }
  setWebRTCIPHandlingPolicy(policy: string): void {
    this.webRtcPolicy = policy;
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
  send(channel: string, value: unknown): void {
    this.sent.push([channel, value]);
    this.emit('-sent', channel, value);
  }
}

export class BrowserWindow extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents = new FakeContents();
  readonly loaded: string[] = [];
  readonly state = { shown: false, focused: false, maximized: false, minimized: false };
  /** Position among other windows. */
  readonly layer = { ignoresMouse: false, level: '', onAllWorkspaces: false };
  private destroyed = false;
  private bounds: Rectangle;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    if (!ready) throw new Error('Cannot create BrowserWindow before app is ready');
    this.options = options;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.bounds = { x, y, width, height };
    const { session: ownSession } = options.webPreferences ?? {};
    if (ownSession) this.webContents.session = ownSession as unknown as FakeSession;
    asked.windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    this.webContents.mainFrame.url = url;
    await asked.openPage?.(this, url);
    this.emit('ready-to-show');
  }

  /** Closes the window as a person does. */
  close(): void {
    let isPrevented = false;
    this.emit('close', { preventDefault: () => (isPrevented = true) });
    if (!isPrevented) this.webContents.leave(() => this.destroy());
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    asked.windows.splice(asked.windows.indexOf(this), 1);
    this.emit('closed');
    if (asked.windows.length === 0) app.emit('window-all-closed');
  }

  setBounds(bounds: Rectangle): void {
    this.bounds = bounds;
    this.emit('move');
  }

  isDestroyed = (): boolean => this.destroyed;
  getNormalBounds = (): Rectangle => this.bounds;
  isMaximized = (): boolean => this.state.maximized;
  isMinimized = (): boolean => this.state.minimized;
  isFocused = (): boolean => this.state.focused;
  minimize = (): void => void (this.state.minimized = true);
  maximize = (): void => void (this.state.maximized = true);
  restore = (): void => void (this.state.minimized = false);
  setIgnoreMouseEvents = (ignore: boolean): void => void (this.layer.ignoresMouse = ignore);
  setAlwaysOnTop = (flag: boolean, level = 'floating'): void =>
    void (this.layer.level = flag ? level : '');
  setVisibleOnAllWorkspaces = (visible: boolean): void =>
    void (this.layer.onAllWorkspaces = visible);
  show = (): void => void (this.state.shown = true);
  showInactive = (): void => void (this.state.shown = true);
  hide = (): void => void Object.assign(this.state, { shown: false, focused: false });
  focus = (): void => void (this.state.focused = true);
}

let ready = false;
let becomeReady: () => void = () => undefined;
let whenReady = Promise.resolve();

class FakeApp extends EventEmitter {
  isPackaged = false;
  readonly switches = new Set<string>();
  readonly commandLine = { hasSwitch: (name: string) => this.switches.has(name) };
  private readonly paths = new Map<string, string>();
  whenReady = (): Promise<void> => {
    this.emit('-awaited');
    return whenReady;
  };
  getPath = (name: string): string => this.paths.get(name) ?? `/nowhere/${name}`;
  setPath = (name: string, path: string): void => void this.paths.set(name, path);
  isFirst = true;
  locale = 'en-US';
  requestSingleInstanceLock = (): boolean => this.isFirst;
  hasSingleInstanceLock = (): boolean => this.isFirst;
  isReady = (): boolean => ready;
  addRecentDocument = (path: string): void => void asked.recent.push(path);
  disableHardwareAcceleration = (): void => {
    if (ready)
      throw new Error('app.disableHardwareAcceleration() can only be called before app is ready');
    asked.gpuDisabled = true;
  };
  setAsDefaultProtocolClient = (scheme: string): boolean => asked.linkSchemes.push(scheme) > 0;
  getLocale = (): string => this.locale;
  getAppMetrics = () =>
    asked.renderers().map(({ pid, bytes }) => ({
      pid,
      type: 'Tab',
      memory: { workingSetSize: bytes / 1_024 },
    }));
  /** Does nothing on Linux. */
  setLoginItemSettings = (settings: object): void => {
    if (process.platform !== 'linux') asked.loginItems.push(settings);
  };
  exit = (code: number): void => {
    asked.exits.push(code);
    this.emit('-exit', code);
  };
  /** Quits as a person does: closes all windows unless a listener prevents it. */
  quit = (): void => {
    let goesOn = true;
    this.emit('before-quit', { preventDefault: () => (goesOn = false) });
    if (goesOn) for (const window of [...asked.windows]) window.close();
  };
  reset(): void {
    this.removeAllListeners();
    this.isPackaged = false;
    this.isFirst = true;
    this.locale = 'en-US';
    this.switches.clear();
    this.paths.clear();
  }
}

export const app = new FakeApp();

export const protocol = {
  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    if (ready) throw new Error('registerSchemesAsPrivileged should be called before app is ready');
    asked.schemes.push(...schemes);
  },
  handle(scheme: string, handler: (request: Request) => Promise<Response>): void {
    if (!ready) throw new Error('protocol.handle needs the app to be ready');
    asked.protocols.set(scheme, (url, page) => handler(handedRequest(url, page)));
  },
};

export const session = {
  get defaultSession(): FakeSession {
    if (!ready) throw new Error('Session can only be received when app is ready');
    return asked.defaultSession;
  },
  fromPartition(name: string): FakeSession {
    const existing = asked.partitions.get(name);
    if (existing) return existing;
    const made = new FakeSession();
    asked.partitions.set(name, made);
    made.loadDictionaries();
    app.emit('session-created', made);
    return made;
  },
};

export const net = {
  fetch: (url: string, init?: RequestInit) => asked.loaders.fetch(url, init),
};

export const ipcMain = {
  handle(channel: string, handler: (event: unknown, input: unknown) => unknown): void {
    if (asked.ipc.has(channel))
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    asked.ipc.set(channel, handler);
  },
};

/** Answers dialogs from `asked.answers`; cancels all others. */
export const dialog = {
  showErrorBox: (title: string, content: string): void => void asked.errors.push([title, content]),
  showOpenDialog: (_window: unknown, options: object) => {
    asked.dialogs.push(['open', options]);
    const filePaths = (asked.answers.shift() as string[] | undefined) ?? [];
    return Promise.resolve({ canceled: filePaths.length === 0, filePaths });
  },
  showSaveDialog: (_window: unknown, options: object) => {
    asked.dialogs.push(['save', options]);
    const filePath = (asked.answers.shift() as string | undefined) ?? '';
    return Promise.resolve({ canceled: filePath === '', filePath });
  },
  /** Accepts the window as an optional first argument. */
  showMessageBox: (...args: object[]) => {
    const options = args.at(-1) as { cancelId?: number };
    asked.dialogs.push(['message', options]);
    const response = (asked.answers.shift() as number | undefined) ?? options.cancelId ?? 0;
    return Promise.resolve({ response, checkboxChecked: asked.checkbox });
  },
};

export const shell = {
  openExternal(url: string): Promise<void> {
    asked.opened.push(url);
    return Promise.resolve();
  },
  openPath(path: string): Promise<string> {
    machine.programs.push(path);
    return Promise.resolve('');
  },
};

export const nativeTheme = { themeSource: 'system' };

export { clipboard, desktopCapturer, globalShortcut, screen, systemPreferences } from './screen.ts';

export const Menu = {
  buildFromTemplate: (template: MenuItemConstructorOptions[]) =>
    Object.assign(template, { popup: (): void => void asked.menus.push(template) }),
  setApplicationMenu: (menu: MenuItemConstructorOptions[]): void => void asked.menus.push(menu),
};

/** The system keyring, which tests lock and unlock. */
export const safeStorage = {
  getSelectedStorageBackend: () => (asked.keyring === null ? 'basic_text' : 'gnome_libsecret'),
  isAsyncEncryptionAvailable: async () => asked.keyring !== 'locked',
  encryptStringAsync: async (text: string) => Buffer.from(`sealed:${text}`).reverse(),
  decryptStringAsync: async (sealed: Buffer) => {
    if (asked.keyring !== 'open') throw new Error('The keyring is locked.');
    const text = Buffer.from(sealed).reverse().toString('utf8');
    return { shouldReEncrypt: false, result: text.slice('sealed:'.length) };
  },
};

export const powerMonitor = new EventEmitter();

export const powerSaveBlocker = {
  start: (type: string): number => asked.blockers.push(type) - 1,
  stop: (id: number): void => void (asked.blockers[id] = ''),
};

/** Like Electron, reports no error where no tray shows the icon. */
export class Tray extends EventEmitter {
  readonly icon: string;
  menu: MenuItemConstructorOptions[] = [];
  constructor(icon: string) {
    super();
    this.icon = icon;
    asked.trays.push(this);
  }
  setToolTip = (): void => undefined;
  setContextMenu = (menu: MenuItemConstructorOptions[]): void => void (this.menu = menu);
  destroy = (): void => void asked.trays.splice(asked.trays.indexOf(this), 1);
}

export class Notification extends EventEmitter {
  static isSupported = (): boolean => true;
  readonly options: { title: string; body: string };
  constructor(options: { title: string; body: string }) {
    super();
    this.options = options;
  }
  show = (): void => void asked.notices.push(this);
}

const nothing = () => ({
  schemes: [] as CustomScheme[],
  /** Handlers of custom schemes. */
  protocols: new Map<string, (url: string, page?: PageRequest) => Promise<Response>>(),
  loaders: new Loaders(),
  ipc: new Map<string, (event: unknown, input: unknown) => unknown>(),
  windows: [] as BrowserWindow[],
  defaultSession: new FakeSession(),
  partitions: new Map<string, FakeSession>(),
  exits: [] as number[],
  errors: [] as [string, string][],
  dialogs: [] as [string, object][],
  /** Answers of the person to the next dialogs. */
  answers: [] as unknown[],
  /** Whether the person also checks the box of a dialog. */
  checkbox: false,
  opened: [] as string[],
  menus: [] as MenuItemConstructorOptions[][],
  trays: [] as Tray[],
  notices: [] as Notification[],
  loginItems: [] as object[],
  recent: [] as string[],
  /** Schemes registered at run time. */
  linkSchemes: [] as string[],
  /** Dictionary addresses that sessions requested from. */
  dictionaries: [] as string[],
  dictionaryServer: 'https://redirector.gvt1.com/edgedl/chrome/dict/',
  gpuDisabled: false,
  keyring: null as null | 'open' | 'locked',
  /** Kind of each power blocker; empty after it was stopped. */
  blockers: [] as string[],
});

/** Calls that were recorded since `resetElectron`. */
export const asked = {
  ...nothing(),
  /** Opens a real page for a window, if there is a browser for it. */
  openPage: null as ((window: BrowserWindow, url: string) => Promise<void>) | null,
  /** Processes of the real pages. */
  renderers: (): { pid: number; bytes: number }[] => [],
  /** Closes the browser of these pages. */
  close: null as (() => Promise<void>) | null,
};

export function resetElectron(): void {
  ready = false;
  whenReady = new Promise((resolve) => (becomeReady = resolve));
  app.reset();
  powerMonitor.removeAllListeners();
  nativeTheme.themeSource = 'system';
  Object.assign(asked, nothing());
  resetMachine();
}

/** Emits the events that Electron emits after the entry has run. */
export function emitReady(): void {
  ready = true;
  asked.defaultSession.loadDictionaries();
  app.emit('session-created', asked.defaultSession);
  becomeReady();
}
