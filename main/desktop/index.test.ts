import { access, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hostPaths } from '../../service/app/index.ts';
import { readFlags } from '../flags.ts';
import { LockedError, takeLock } from '../instance-lock.ts';
import {
  app,
  asked,
  BrowserWindow,
  emitReady,
  powerMonitor,
  resetElectron,
} from '../testing/stand-in/electron.ts';
import { runDesktop } from './index.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

const token = 'the-token-of-this-launch';
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;

let workDirectory = '';
let written: string[] = [];
let ownListeners: Record<string, NodeJS.SignalsListener[]> = {};

beforeEach(async () => {
  workDirectory = await mkdtemp(join(tmpdir(), 'desktop-'));
  resetElectron();
  written = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
  ownListeners = Object.fromEntries(signals.map((name) => [name, process.listeners(name)]));
});

afterEach(async () => {
  app.emit('window-all-closed');
  if (asked.windows.length > 0) await expect.poll(() => asked.exits).not.toEqual([]);
  vi.restoreAllMocks();
  for (const name of signals)
    for (const listener of process.listeners(name))
      if (!ownListeners[name]?.includes(listener)) process.off(name, listener);
  await rm(workDirectory, { recursive: true, force: true });
});

function start(...args: string[]): Promise<void> {
  const flag = `--work-dir=${workDirectory}`;
  const flags = readFlags([flag, '--setup=SQLITE', `--token=${token}`, ...args], {});
  const running = runDesktop(flags);
  emitReady();
  return running;
}

const port = (): number => Number(/^HOST_PORT=(\d+)$/m.exec(written.join(''))?.[1]);

const ask = (path: string, init: RequestInit = {}): Promise<Response> => {
  const handler = asked.protocols.get('app');
  if (!handler) throw new Error('There is no shell.');
  return handler(`app://shell${path}`, init);
};

describe('the desktop', () => {
  it('registers its scheme before Electron is ready, and does nothing else until then', async () => {
    const flags = readFlags([`--work-dir=${workDirectory}`, '--port=0', '--setup=SQLITE'], {});
    const running = runDesktop(flags);
    expect(asked.schemes.map(({ scheme }) => scheme)).toEqual(['app']);
    expect(await readdir(workDirectory)).toEqual([]);
    expect(asked.windows).toEqual([]);
    emitReady();
    await running;
    expect(asked.windows).toHaveLength(1);
  });

  it('opens one guarded window with the shell', async () => {
    await start('--port=0');
    expect(asked.windows).toHaveLength(1);
    const [window] = asked.windows;
    expect(window?.loaded).toEqual(['app://shell/']);
    expect(window?.state.shown).toBe(true);
    for (const name of ['before-input-event', 'before-mouse-event'])
      expect(window?.webContents.listenerCount(name)).toBe(1);
    expect(window?.options.webPreferences?.preload).toMatch(/preload[\\/]index\.cjs$/);
    expect([...asked.defaultSession.handlers.keys()].sort()).toEqual([
      'before-request',
      'check',
      'device',
      'display',
      'request',
    ]);
    expect(app.listenerCount('web-contents-created')).toBe(1);
  });

  it('serves the shell, and the service behind it, at app://shell', async () => {
    await start('--port=0');
    const page = await ask('/');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="shell">');
    expect(page.headers.get('Content-Security-Policy')).toContain(
      `frame-src http://127.0.0.1:${port()};`,
    );
    expect(await (await ask('/api/health')).json()).toEqual({ status: 'ok' });
    expect(await (await ask('/api/settings')).json()).toMatchObject({ theme: 'light' });
    const body = JSON.stringify({ theme: 'dark' });
    const headers = { 'Content-Type': 'application/json' };
    const stored = await ask('/api/settings', { method: 'PUT', headers, body });
    expect(await stored.json()).toMatchObject({ theme: 'dark' });
    expect((await fetch(`http://127.0.0.1:${port()}/api/settings`)).status).toBe(401);
    expect((await fetch(`http://127.0.0.1:${port()}/`)).status).toBe(404);
  });

  it('forwards streams as they arrive', async () => {
    await start('--port=0');
    const post = (path: string, body?: object): Promise<Response> =>
      ask(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const { ticket } = (await (await post('/api/notifications/stream-ticket')).json()) as {
      ticket: string;
    };
    const stream = await ask(`/api/notifications/stream?ticket=${ticket}`);
    expect(stream.headers.get('Content-Type')).toMatch('text/event-stream');
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    await post('/api/notifications', { source: 'host', level: 'info', title: 'Seen at once' });
    let seen = '';
    while (!seen.includes('Seen at once')) {
      const { done, value } = await reader.read();
      if (done) break;
      seen += value;
    }
    expect(seen).toContain('event: notification');
    await reader.cancel();
  });

  it('does not reveal the token', async () => {
    await start('--port=0');
    const texts = written.slice();
    for (const path of ['/', '/api/health', '/api/settings', '/api/openapi.json', '/unknown'])
      texts.push(await (await ask(path)).text());
    for (const name of await readdir(join(workDirectory, '.host', 'logs')))
      texts.push(await readFile(join(workDirectory, '.host', 'logs', name), 'utf8'));
    expect(texts.join('\n')).not.toContain(token);
    expect(written.filter((text) => text.startsWith('HOST_'))).toEqual([`HOST_PORT=${port()}\n`]);
  });

  it('makes a token where none was given, and does not print it', async () => {
    const running = runDesktop(
      readFlags([`--work-dir=${workDirectory}`, '--port=0', '--setup=SQLITE'], {}),
    );
    emitReady();
    await running;
    expect((await ask('/api/settings')).status).toBe(200);
    expect(written.filter((text) => text.startsWith('HOST_'))).toEqual([`HOST_PORT=${port()}\n`]);
  });

  it('ends with its window: the service is closed, the lock released, the exit code 0', async () => {
    await start('--port=0');
    const address = `http://127.0.0.1:${port()}/api/health`;
    expect((await fetch(address)).status).toBe(200);
    app.emit('window-all-closed');
    await expect.poll(() => asked.exits).toEqual([0]);
    await expect(fetch(address)).rejects.toThrow();
    await expect(access(join(workDirectory, '.host', 'host.lock'))).rejects.toThrow('ENOENT');
  });

  it('ends with its window also while a page of models is open', async () => {
    await start('--port=0');
    const [shell] = asked.windows;
    const other = new BrowserWindow({ show: false });
    shell?.close();
    await expect.poll(() => asked.exits).toEqual([0]);
    other.destroy();
  });

  it('reports once that data of an older version was moved, and from where', async () => {
    const flags = readFlags([`--work-dir=${workDirectory}`, '--port=0', '--setup=SQLITE'], {});
    const running = runDesktop(flags, { paths: hostPaths(workDirectory), movedFrom: '/old/place' });
    emitReady();
    await running;
    const messages = asked.dialogs.map(([, options]) => (options as { message: string }).message);
    expect(messages).toEqual([expect.stringContaining('/old/place')]);
    expect(messages[0]).toContain(workDirectory);
  });

  it('waits for the service when it is quit', async () => {
    await start('--port=0');
    let waits = false;
    app.emit('before-quit', { preventDefault: () => (waits = true) });
    expect(waits).toBe(true);
    await expect.poll(() => asked.exits).toEqual([0]);
  });

  it('ends with the system, which waits for it', async () => {
    await start('--port=0');
    let waits = false;
    powerMonitor.emit('shutdown', { preventDefault: () => (waits = true) });
    expect(waits).toBe(true);
    await expect.poll(() => asked.exits).toEqual([0]);
  });

  it('ends with the session of the person, even with unsaved edits', async () => {
    await start('--port=0');
    const [window] = asked.windows;
    if (window) window.webContents.beforeUnload = () => true;
    window?.emit('session-end', { reasons: ['logoff'] });
    await expect.poll(() => asked.exits).toEqual([0]);
    expect(asked.dialogs).toEqual([]);
    await expect(access(join(workDirectory, '.host', 'host.lock'))).rejects.toThrow('ENOENT');
  });

  it('does not end when another start requests an address', async () => {
    await start('--port=0');
    process.kill(process.pid, 'SIGUSR2');
    expect((await ask('/api/health')).status).toBe(200);
    expect(asked.exits).toEqual([]);
  });

  it('logs crashed processes of Electron, and continues', async () => {
    await start();
    app.emit('child-process-gone', {}, { type: 'Utility', reason: 'clean-exit', exitCode: 0 });
    const gone = { type: 'GPU', name: 'GPU', reason: 'crashed', exitCode: 5 };
    app.emit('child-process-gone', {}, gone);
    const reports = written.filter((line) => line.includes('A process of Electron is gone'));
    expect(reports).toEqual([expect.stringContaining('(GPU, GPU: crashed, 5)')]);
    expect((await ask('/')).status).toBe(200);
  });

  it('is refused where a host runs in the same folder', async () => {
    await mkdir(join(workDirectory, '.host'));
    const lock = await takeLock(join(workDirectory, '.host'));
    await expect(start('--port=0')).rejects.toBeInstanceOf(LockedError);
    expect(asked.windows).toEqual([]);
    await lock.release();
  });

  it('fails if the requested port is taken, and releases the lock', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port: taken } = other.address() as { port: number };
    await expect(start(`--port=${taken}`)).rejects.toThrow(`The port ${taken} is taken.`);
    expect(await readdir(join(workDirectory, '.host'))).not.toContain('host.lock');
    expect(asked.windows).toEqual([]);
    other.close();
  });
});
