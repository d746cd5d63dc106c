import type { App, Session } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  app,
  asked,
  emitReady,
  FakeContents,
  FakeSession,
  resetElectron,
} from '../testing/stand-in/electron.ts';
import { closeModelSession, openModelSession } from './browser/model-sessions.ts';
import { guardPages } from './guards.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

const service = 'http://127.0.0.1:24056';
const page = `${service}/plugin-runtime/host.words/ui/index.html`;

let contents = new FakeContents();
let opened: string[] = [];

beforeEach(() => {
  resetElectron();
  opened = [];
  guardPages(
    app as unknown as App,
    () => service,
    (address) => opened.push(address),
  );
  contents = new FakeContents();
  app.emit('web-contents-created', {}, contents);
});

interface Move {
  url: string;
  isMainFrame: boolean;
  frame: { url: string } | null;
}

function isRefused(event: string, move: Partial<Move> = {}): boolean {
  let refused = false;
  contents.emit(event, { ...move, preventDefault: () => (refused = true) });
  return refused;
}

const moves = ['will-frame-navigate', 'will-redirect'];

describe('the window', () => {
  it.each([
    ['app://shell/', true],
    ['app://shell/index.html', true],
    ['app://shell/?from=link#/plugins', true],
    ['app://shell/api/settings', false],
    ['app://shell/actuator/health', false],
    ['app://shell/api/..%2findex.html', false],
    ['app://shell.evil/', false],
    ['app://shell:80/', false],
    ['app://shell@evil/', false],
    ['app://user:pass@shell/', false],
    ['app://SHELL/', false],
    ['app://evil/shell/', false],
    ['app:shell', false],
    ['apps://shell/', false],
    ['https://shell/', false],
    ['file:///etc/passwd', false],
    ['data:text/html,<h1>hello</h1>', false],
    ['javascript:alert(1)', false],
    ['about:blank', false],
    ['blob:app://shell/0b5d7d8e', false],
    ['https://example.org/', false],
    [service, false],
    [page, false],
    ['not an address', false],
    ['', false],
  ])('may open %j: %j', (url, allowed) => {
    for (const event of moves)
      expect(isRefused(event, { url, isMainFrame: true, frame: null })).toBe(!allowed);
  });
});

describe('a frame', () => {
  it.each([
    [page, true],
    [`${service}/plugin-runtime/host.json-tools/ui/index.html?theme=dark#top`, true],
    [`${service}/plugin-runtime/host.words/../host.json-tools/ui/index.html`, true],
    [`${service}/plugin-runtime/`, false],
    [`${service}/plugin-runtime/host.words`, false],
    [`${service}/plugin-runtime//ui/index.html`, false],
    [`${service}/plugin-runtime/../api/settings`, false],
    [`${service}/plugin-runtime/host.words/../../api/settings`, false],
    [`${service}/plugin-runtime/%2e%2e/api/settings`, false],
    [`${service}/api/health`, false],
    [`${service}/`, false],
    ['http://127.0.0.1:24057/plugin-runtime/host.words/ui/index.html', false],
    ['http://127.0.0.1/plugin-runtime/host.words/ui/index.html', false],
    ['https://127.0.0.1:24056/plugin-runtime/host.words/ui/index.html', false],
    ['http://localhost:24056/plugin-runtime/host.words/ui/index.html', false],
    ['http://127.0.0.1:24056@evil.test/plugin-runtime/host.words/ui/index.html', false],
    ['http://127.0.0.1:24056.evil.test/plugin-runtime/host.words/ui/index.html', false],
    ['app://shell/', false],
    [`blob:${page}`, false],
    ['data:text/html,<h1>hello</h1>', false],
    ['about:blank', false],
    ['file:///etc/passwd', false],
    ['https://example.org/plugin-runtime/host.words/', false],
    ['', false],
  ])('at first may go to %j: %j', (url, allowed) => {
    for (const event of moves)
      for (const frame of [null, { url: '' }, { url: 'about:blank' }])
        expect(isRefused(event, { url, isMainFrame: false, frame })).toBe(!allowed);
  });

  it('stays with its plugin', () => {
    const frame = { url: page };
    const other = `${service}/plugin-runtime/host.words2/ui/index.html`;
    const next = `${service}/plugin-runtime/host.words/ui/help.html`;
    for (const event of moves) {
      expect(isRefused(event, { url: next, isMainFrame: false, frame })).toBe(false);
      expect(isRefused(event, { url: other, isMainFrame: false, frame })).toBe(true);
    }
  });
});

describe('a page', () => {
  it('opens no window: its address is shown to a person instead', () => {
    for (const url of [page, 'app://shell/', 'https://example.org/', 'about:blank'])
      expect(contents.openHandler?.({ url })).toEqual({ action: 'deny' });
    expect(opened).toEqual([page, 'app://shell/', 'https://example.org/', 'about:blank']);
    expect(contents.webRtcPolicy).toBe('disable_non_proxied_udp');
  });

  it('attaches no webview', () => {
    expect(isRefused('will-attach-webview')).toBe(true);
  });
});

describe('a page of models', () => {
  const proxy = 'http://127.0.0.1:4711';

  it.each([
    ['https://example.org/', true],
    ['http://127.0.0.1:1/', true],
    ['about:blank', true],
    ['data:text/html,x', true],
    ['blob:https://example.org/1', true],
    ['file:///etc/passwd', false],
    ['app://shell/', false],
    ['chrome://version', false],
    ['devtools://devtools/x', false],
    ['javascript:alert(1)', false],
    ['not an address', false],
  ])('may go to %j: %j', async (url, allowed) => {
    emitReady();
    contents = new FakeContents();
    contents.session = (await openModelSession(proxy)) as unknown as FakeSession;
    app.emit('web-contents-created', {}, contents);
    for (const event of moves)
      for (const isMainFrame of [true, false])
        expect(isRefused(event, { url, isMainFrame, frame: null })).toBe(!allowed);
    expect(contents.openHandler?.({ url })).toEqual({ action: 'deny' });
    expect(isRefused('will-attach-webview')).toBe(true);
    expect(contents.webRtcPolicy).toBe('disable_non_proxied_udp');
    expect(opened).toEqual([]);
  });

  it('has a session in memory that uses a proxy of this machine and is cleared afterwards', async () => {
    emitReady();
    const session = (await openModelSession(proxy)) as unknown as FakeSession;
    expect([...asked.partitions.keys()].filter((name) => name.startsWith('persist:'))).toEqual([]);
    expect(session.proxy).toMatchObject({ proxyRules: proxy, proxyBypassRules: '<-loopback>' });
    await closeModelSession(session as unknown as Session);
    expect(session.proxy).toMatchObject({ proxyRules: 'http://127.0.0.1:1' });
    expect(session.cleared).toEqual(['connections', 'storage', 'cache', 'auth', 'names']);
    for (const wrong of [
      undefined,
      '',
      'http://example.org:1',
      'direct://',
      'socks5://127.0.0.1:1',
    ])
      await expect(openModelSession(wrong)).rejects.toThrow('need a proxy of this machine');
  });
});

describe('a session of any partition', () => {
  const permissions =
    `ar automatic-fullscreen background-fetch background-sync captured-surface-control
    clipboard-read clipboard-sanitized-write deprecated-sync-clipboard-read display-capture fileSystem
    fullscreen geolocation geolocation-approximate hand-tracking hid idle-detection keyboardLock
    local-fonts local-network media mediaKeySystem midi midiSysex nfc notifications openExternal payment-handler
    periodic-background-sync persistent-storage pointerLock screen-wake-lock sensors serial smart-card
    speaker-selection storage-access system-wake-lock top-level-storage-access usb vr
    web-app-installation web-printing window-management unknown`.split(/\s+/);
  let session = new FakeSession();

  beforeEach(() => {
    session = new FakeSession();
    app.emit('session-created', session);
  });

  const answerOf = (name: string, ...args: unknown[]): unknown =>
    (session.handlers.get(name) as (...args: unknown[]) => unknown)(...args);
  const requested = (permission: string, details: object): unknown[] => {
    const answers: unknown[] = [];
    answerOf('request', contents, permission, (answer: unknown) => answers.push(answer), details);
    return answers;
  };
  const checked = (permission: string, origin: string, details: object): unknown =>
    answerOf('check', contents, permission, origin, details);

  const ofShell = { requestingUrl: 'app://shell/', isMainFrame: true };
  const ofPlugin = { requestingUrl: page, isMainFrame: false };

  it.each(permissions)('grants no %s', (permission) => {
    for (const details of [ofShell, ofPlugin]) {
      expect(requested(permission, details)).toEqual([false]);
      expect(checked(permission, new URL(details.requestingUrl).origin, details)).toBe(false);
      expect(checked(permission, 'app://shell', details)).toBe(false);
    }
  });

  it.each(['loopback-network', 'local-network-access'])(
    'grants %s to the shell, which frames pages of this machine, and to no other page',
    (permission) => {
      expect(requested(permission, ofShell)).toEqual([true]);
      expect(checked(permission, 'app://shell/', { isMainFrame: true })).toBe(true);
      for (const requestingUrl of [page, 'null', '', 'https://example.org/', 'app://shell.evil/']) {
        expect(requested(permission, { requestingUrl, isMainFrame: true })).toEqual([false]);
        expect(checked(permission, requestingUrl, { isMainFrame: true })).toBe(false);
      }
      expect(requested(permission, { ...ofShell, isMainFrame: false })).toEqual([false]);
      expect(checked(permission, 'app://shell/', { isMainFrame: false })).toBe(false);
    },
  );

  it('grants no device', () => {
    for (const deviceType of ['hid', 'serial', 'usb'])
      expect(answerOf('device', { deviceType, origin: 'app://shell' })).toBe(false);
  });

  it('shows the screen to nobody', () => {
    const answers: unknown[] = [];
    answerOf('display', { videoRequested: true }, (answer: unknown) => answers.push(answer));
    expect(answers).toEqual([null]);
  });

  it('downloads nothing', () => {
    let refused = false;
    session.emit('will-download', { preventDefault: () => (refused = true) });
    expect(refused).toBe(true);
  });
});
