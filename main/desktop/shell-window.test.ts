import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  asked,
  type BrowserWindow,
  emitReady,
  resetElectron,
} from '../testing/stand-in/electron.ts';
import { ShellWindow } from './shell-window.ts';
import { WindowNews } from './window-news.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

let folder = '';
let shell: ShellWindow;
let errors: string[] = [];
let gone = 0;
let staysHidden = false;
let mayDiscard = false;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shell-window-'));
  resetElectron();
  emitReady();
  // The window of the previous test may still write its position.
  const own: string[] = [];
  errors = own;
  gone = 0;
  staysHidden = false;
  mayDiscard = false;
  shell = new ShellWindow({
    preload: '/built/preload/index.cjs',
    boundsFile: join(folder, 'window.json'),
    news: new WindowNews(() => undefined),
    language: () => 'en',
    staysHidden: () => staysHidden,
    hide: (window) => window.hide(),
    closing: () => void shell.leave(),
    mayDiscard: () => Promise.resolve(mayDiscard),
    made: () => undefined,
    closed: () => undefined,
    pageGone: () => (gone += 1),
    reportError: (what) => own.push(what),
  });
  await shell.show();
});
afterEach(() => {
  asked.openPage = null;
  return rm(folder, { recursive: true, force: true });
});

const loads = (): number => asked.windows[0]?.loaded.length ?? 0;
/** Returns the messages that were shown in a box that does not block. */
const messages = (): unknown[] =>
  asked.dialogs.map(([, options]) => (options as { message?: string }).message);
const fall = (reason: string): unknown =>
  asked.windows[0]?.webContents.emit('render-process-gone', {}, { reason, exitCode: 5 });

it('a crashed page is reloaded, and cleaned up after', () => {
  expect(loads()).toBe(1);
  fall('crashed');
  expect([loads(), gone]).toEqual([2, 1]);
  expect(errors).toEqual(['The page of the shell has fallen (crashed, 5)']);
});

it('a page that exited normally is not reloaded', () => {
  fall('clean-exit');
  expect([loads(), gone, errors]).toEqual([1, 0, []]);
});

it('a page that keeps crashing is not reloaded after three times, and a person is told while the service continues', () => {
  for (let times = 0; times < 4; times += 1) fall('oom');
  expect(loads()).toBe(4);
  expect(messages()).toEqual(['The window keeps crashing']);
  // An error box would block the whole process until somebody closes it.
  expect(asked.errors).toEqual([]);
});

it('a page that was not reloaded is loaded again when a person opens the window', async () => {
  for (let times = 0; times < 4; times += 1) fall('oom');
  await shell.show();
  expect(loads()).toBe(5);
  await shell.show();
  expect(loads()).toBe(5);
});

it('a page that cannot be loaded is reported, and retried when a person opens the window', async () => {
  asked.openPage = () => Promise.reject(new Error('ERR_FAILED (-2) loading app://shell/'));
  fall('crashed');
  await expect.poll(messages).toEqual(['The window cannot be opened']);
  expect(asked.errors).toEqual([]);
  asked.openPage = null;
  await shell.show();
  expect(loads()).toBe(3);
});

it('a page that crashes while loading is reloaded without an error', async () => {
  const first = Promise.withResolvers<void>();
  asked.openPage = () => first.promise;
  fall('crashed');
  asked.openPage = null;
  fall('crashed');
  first.reject(new Error('ERR_FAILED (-2) loading app://shell/'));
  await expect(first.promise).rejects.toThrow();
  await shell.show();
  expect([loads(), ...messages()]).toEqual([3]);
});

it('a page that is left while loading is not an error', async () => {
  const window = asked.windows[0] as BrowserWindow;
  asked.openPage = () => {
    window.close();
    return Promise.reject(new Error('ERR_FAILED (-2) loading app://shell/'));
  };
  const loading = vi.spyOn(window, 'loadURL');
  fall('crashed');
  await Promise.allSettled(loading.mock.results.map(({ value }) => value));
  asked.openPage = () =>
    Promise.reject(
      Object.assign(new Error('ERR_ABORTED (-3)'), { code: 'ERR_ABORTED', errno: -3 }),
    );
  await shell.show();
  expect([...messages(), ...asked.errors]).toEqual([]);
});

it('is one window, however often it is requested while it opens', async () => {
  asked.windows[0]?.close();
  await Promise.all([shell.show(), shell.show(), shell.show()]);
  expect(asked.windows).toHaveLength(1);
});

it('is not created once the app ends, even if that had started', async () => {
  asked.windows[0]?.close();
  const making = shell.show();
  shell.end();
  await making;
  await shell.show();
  expect(asked.windows).toEqual([]);
});

it('a page that does not respond is logged, and left to the person', () => {
  asked.windows[0]?.emit('unresponsive');
  expect([loads(), gone]).toEqual([1, 0]);
  expect(errors).toEqual(['The page of the shell does not answer']);
});
