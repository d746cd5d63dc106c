import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  app,
  asked,
  BrowserWindow,
  emitReady,
  net,
  protocol,
  resetElectron,
  safeStorage,
  session,
  Tray,
} from './electron.ts';
import { replaceSignalHandlers } from './replace-signal-handlers.ts';

// Facts about Electron that the product's tests rely on: a stand-in that is more lenient would hide
// bugs.
beforeEach(resetElectron);

describe('a request of a page', () => {
  const handed = async (page: RequestInit & { initiatorOrigin?: string | null }) => {
    emitReady();
    let request: Request | undefined;
    protocol.handle('app', (received: Request) => {
      request = received;
      return Promise.resolve(new Response());
    });
    await asked.protocols.get('app')?.('app://shell/api/settings', page);
    return request as Request & { initiatorOrigin?: string };
  };

  it('comes without the signal of the page', async () => {
    const leaving = new AbortController();
    const { signal } = await handed({ signal: leaving.signal });
    leaving.abort();
    expect(signal.aborted).toBe(false);
  });

  it('comes without an Origin of null, and with who asks', async () => {
    const request = await handed({ headers: { Origin: 'null' }, initiatorOrigin: 'null' });
    expect([request.headers.get('origin'), request.initiatorOrigin]).toEqual([null, 'null']);
    const other = await handed({ headers: { Origin: 'http://127.0.0.1:1' } });
    expect(other.headers.get('origin')).toBe('http://127.0.0.1:1');
  });
});

describe('net.fetch', () => {
  let server: Server;
  let open: ServerResponse[] = [];
  let url = '';
  beforeEach(async () => {
    open = [];
    server = createServer((_request, response) => {
      open.push(response.writeHead(200));
      response.write('begun');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('has six loaders for a host, which cancelling a body does not release', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => net.fetch(url)));
    let isAnswered = false;
    const seventh = net.fetch(url).then((answer) => {
      isAnswered = true;
      return answer;
    });
    const [first, ...others] = answers;
    for (const { body } of others) await body?.cancel();
    expect([asked.loaders.alive, open.length, isAnswered]).toEqual([6, 6, false]);
    // A stream that was read to its end frees a loader.
    open[0]?.end();
    expect(await first?.text()).toBe('begun');
    expect((await seventh).status).toBe(200);
  });

  it('buffers a whole body before it sends anything', async () => {
    let more: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (more = controller),
    });
    const sent = net.fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
    more?.enqueue(new Uint8Array(10));
    const other = await fetch(url);
    // A request that began later has arrived, the upload has not.
    expect([other.status, open.length]).toEqual([200, 1]);
    more?.close();
    expect((await sent).status).toBe(200);
  });
});

describe('a window', () => {
  it('whose page asks to stay remains silently, unless a listener overrides it', () => {
    emitReady();
    const window = new BrowserWindow({});
    window.webContents.beforeUnload = () => true;
    window.close();
    expect([window.isDestroyed(), asked.dialogs]).toEqual([false, []]);
    window.webContents.on('will-prevent-unload', (event: { preventDefault: () => void }) =>
      event.preventDefault(),
    );
    window.close();
    expect(window.isDestroyed()).toBe(true);
  });
});

describe('the system', () => {
  it('has no login item on Linux, and accepts a tray without an error', () => {
    app.setLoginItemSettings({ openAtLogin: true });
    expect(asked.loginItems.length).toBe(process.platform === 'linux' ? 0 : 1);
    expect(() => new Tray('icon.png')).not.toThrow();
  });

  it('may have no keyring, or a locked one', async () => {
    expect(safeStorage.getSelectedStorageBackend()).toBe('basic_text');
    asked.keyring = 'locked';
    expect(await safeStorage.isAsyncEncryptionAvailable()).toBe(false);
    await expect(safeStorage.decryptStringAsync(Buffer.from('a'))).rejects.toThrow('locked');
  });

  it('allows disabling the graphics card until Electron is ready', () => {
    app.disableHardwareAcceleration();
    emitReady();
    expect(() => app.disableHardwareAcceleration()).toThrow('before app is ready');
  });

  it('replaces the handlers of signals that were set before it was ready', () => {
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
    const own = signals.map((name) => [name, process.listeners(name)] as const);
    const early = (): void => undefined;
    const late = (): void => undefined;
    for (const name of signals) process.on(name, early);
    replaceSignalHandlers();
    const replaced = signals.map((name) => process.listeners(name));
    for (const name of signals) process.on(name, late);
    const last = signals.map((name) => process.listeners(name));
    for (const [name, listeners] of own) {
      process.removeAllListeners(name);
      for (const listener of listeners) process.on(name, listener);
    }
    expect(replaced.map((listeners) => listeners.length)).toEqual([1, 1, 1]);
    expect(replaced.flat()).not.toContain(early);
    expect(last).toEqual([[late], [late], [late]]);
  });

  it('asks for dictionaries for each session, with spelling on or off, at one address', async () => {
    emitReady();
    await Promise.resolve();
    const before = asked.dictionaries.length;
    expect(before).toBeGreaterThan(0);
    session.fromPartition('another').setSpellCheckerEnabled(false);
    await Promise.resolve();
    expect(asked.dictionaries.length).toBeGreaterThan(before);
    expect(new Set(asked.dictionaries.map((address) => new URL(address).host)).size).toBe(1);
    const refused = () => session.defaultSession.setSpellCheckerLanguages(['xx-unknown']);
    expect(refused).toThrow();
  });
});
