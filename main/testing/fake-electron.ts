import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, CustomScheme } from 'electron';

/** Stands in for the module `electron`: it opens nothing and remembers what it is asked for. */

type Handler = (...args: never[]) => unknown;

export class FakeSession extends EventEmitter {
  /** The last handler given to each `set…Handler`. */
  readonly handlers = new Map<string, Handler>();
  setPermissionRequestHandler = (handler: Handler) => this.handlers.set('request', handler);
  setPermissionCheckHandler = (handler: Handler) => this.handlers.set('check', handler);
  setDevicePermissionHandler = (handler: Handler) => this.handlers.set('device', handler);
  setDisplayMediaRequestHandler = (handler: Handler) => this.handlers.set('display', handler);
}

export class FakeContents extends EventEmitter {
  webRtcPolicy = 'default';
  setWebRTCIPHandlingPolicy(policy: string): void {
    this.webRtcPolicy = policy;
  }
  openHandler: ((details: { url: string }) => { action: string }) | null = null;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }
}

export class BrowserWindow extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions;
  readonly loaded: string[] = [];
  shown = false;
  constructor(options: BrowserWindowConstructorOptions) {
    super();
    if (!ready) throw new Error('Cannot create BrowserWindow before app is ready');
    this.options = options;
    asked.windows.push(this);
  }
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    this.emit('ready-to-show');
  }
  show(): void {
    this.shown = true;
  }
}

let ready = false;
let becomeReady: () => void = () => undefined;
let whenReady = Promise.resolve();

class FakeApp extends EventEmitter {
  whenReady = (): Promise<void> => whenReady;
  getPath = (name: string): string => `/nowhere/${name}`;
  exit = (code: number): void => void asked.exits.push(code);
}

export const app = new FakeApp();

export const protocol = {
  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    if (ready) throw new Error('registerSchemesAsPrivileged should be called before app is ready');
    asked.schemes.push(...schemes);
  },
  handle(scheme: string, handler: (request: Request) => Promise<Response>): void {
    if (!ready) throw new Error('protocol.handle needs the app to be ready');
    asked.protocols.set(scheme, handler);
  },
};

export const session = {
  get defaultSession(): FakeSession {
    if (!ready) throw new Error('Session can only be received when app is ready');
    return asked.defaultSession;
  },
};

export const net = { fetch: (url: string, init?: RequestInit) => fetch(url, init) };

export const dialog = {
  showErrorBox: (title: string, content: string): void => void asked.errors.push([title, content]),
};

/** All that was asked since `resetElectron`. */
export const asked = {
  schemes: [] as CustomScheme[],
  protocols: new Map<string, (request: Request) => Promise<Response>>(),
  windows: [] as BrowserWindow[],
  defaultSession: new FakeSession(),
  exits: [] as number[],
  errors: [] as [string, string][],
};

export function resetElectron(): void {
  ready = false;
  whenReady = new Promise((resolve) => (becomeReady = resolve));
  app.removeAllListeners();
  asked.schemes.length = 0;
  asked.protocols.clear();
  asked.windows.length = 0;
  asked.defaultSession = new FakeSession();
  asked.exits.length = 0;
  asked.errors.length = 0;
}

/** What Electron does once the entry of the app has been run. */
export function emitReady(): void {
  ready = true;
  app.emit('session-created', asked.defaultSession);
  becomeReady();
}
