import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  electronBinary,
  electronFolder,
  fetchElectron,
  windowHindrance,
} from './electron-binary.ts';
import { planOf } from './start.ts';

let folder = '';
let lines: string[] = [];
const print = (line: string): void => void lines.push(line);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'electron-binary-'));
  lines = [];
  writeFileSync(join(folder, 'package.json'), '{"version":"45.4.1"}');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const machine = {
  platform: 'linux' as const,
  environment: { DISPLAY: ':0' },
  isRoot: false,
  hasUserNamespaces: true,
};

const installer = (script: string): void => writeFileSync(join(folder, 'install.js'), script);

/** Returns a script that leaves the same files as the installer of Electron. */
const leaves = (version: string): string => `
  const { mkdirSync, writeFileSync } = require('node:fs');
  const dist = __dirname + '/dist';
  mkdirSync(dist + '/Electron.app/Contents/MacOS', { recursive: true });
  writeFileSync(dist + '/version', '${version}');
  for (const name of ['electron', 'electron.exe', 'Electron.app/Contents/MacOS/Electron'])
    writeFileSync(dist + '/' + name, '');`;

it.each([
  ['there is no display', { environment: {} }],
  ['Electron does not run as root with its sandbox', { isRoot: true }],
  [null, {}],
  [null, { environment: { WAYLAND_DISPLAY: 'wayland-0' } }],
  [null, { platform: 'win32' as const, environment: {} }],
  [null, { platform: 'darwin' as const, environment: {}, isRoot: true }],
])('a window is impossible: %s', (why, differs) => {
  expect(windowHindrance({ ...machine, ...differs }, folder)).toBe(why);
});

it('the message contains the command that allows users to create a sandbox', () => {
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist', 'chrome-sandbox'), '');
  const without = { ...machine, hasUserNamespaces: false };
  expect(windowHindrance(without, folder)).toContain(
    `sudo chmod 4755 ${join(folder, 'dist', 'chrome-sandbox')}`,
  );
});

it('a setuid sandbox of root is enough, and one of another user is not', () => {
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist', 'chrome-sandbox'), '');
  chmodSync(join(folder, 'dist', 'chrome-sandbox'), 0o4755);
  const hindrance = windowHindrance({ ...machine, hasUserNamespaces: false }, folder);
  if (process.getuid?.() === 0) expect(hindrance).toBeNull();
  else expect(hindrance).toContain('chrome-sandbox');
});

it('what the installer of Electron fetched is the binary', async () => {
  expect(electronBinary(folder)).toBeNull();
  installer(leaves('v45.4.1'));
  expect(await fetchElectron(print, { folder })).toBeNull();
  expect(electronBinary(folder)).toContain(folder);
  expect(lines).toEqual(['Fetching Electron 45.4.1 …']);
});

it('a binary of another version is not used', async () => {
  installer(leaves('45.4.0'));
  expect(await fetchElectron(print, { folder })).toBe('its installer left no binary');
  expect(electronBinary(folder)).toBeNull();
});

it('an installer that does not end is stopped', async () => {
  installer('setInterval(() => undefined, 1000)');
  expect(await fetchElectron(print, { folder, limitMs: 300 })).toMatch(/^it took longer than/);
});

it('the installer of Electron reports why a download failed', async () => {
  const isThere = electronBinary() !== null;
  vi.stubEnv('ELECTRON_MIRROR', 'http://127.0.0.1:9/');
  vi.stubEnv('electron_config_cache', join(folder, 'cache'));
  const why = await fetchElectron(print, { folder: electronFolder() });
  expect(why).toBe(isThere ? null : 'the server that has it cannot be reached');
});

it('--desktop and --browser force one, without a fallback', () => {
  expect(planOf(['--desktop', '--port=0'])).toEqual({ desktop: true, args: ['--port=0'] });
  expect(planOf(['--browser'])).toEqual({ desktop: false, args: [] });
  expect(planOf(['--port=0'])).toEqual({ desktop: null, args: ['--port=0'] });
  expect(() => planOf(['--desktop', '--browser'])).toThrow('cannot be used together');
});
