import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { asked, emitReady, resetElectron } from '../testing/stand-in/electron.ts';
import { ShellWindow } from './shell-window.ts';
import { WindowNews } from './window-news.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

let folder = '';
let troubles: string[] = [];
let gone = 0;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shell-window-'));
  resetElectron();
  emitReady();
  troubles = [];
  gone = 0;
  const window = new ShellWindow({
    preload: '/built/preload/index.cjs',
    placeFile: join(folder, 'window.json'),
    news: new WindowNews(() => undefined),
    staysHidden: () => false,
    closed: () => undefined,
    pageGone: () => (gone += 1),
    trouble: (what) => troubles.push(what),
  });
  await window.show();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const loads = (): number => asked.windows[0]?.loaded.length ?? 0;
const fall = (reason: string): unknown =>
  asked.windows[0]?.webContents.emit('render-process-gone', {}, { reason, exitCode: 5 });

it('a page that falls is loaded again, and what it left behind is taken away', () => {
  expect(loads()).toBe(1);
  fall('crashed');
  expect([loads(), gone]).toEqual([2, 1]);
  expect(troubles).toEqual(['The page of the shell has fallen (crashed, 5)']);
});

it('a page that was left is not loaded again', () => {
  fall('clean-exit');
  expect([loads(), gone, troubles]).toEqual([1, 0, []]);
});

it('a page that keeps falling is left alone after three times, and a person is told', () => {
  for (let times = 0; times < 5; times += 1) fall('oom');
  expect(loads()).toBe(4);
  expect(asked.errors.map(([title]) => title)).toEqual([
    'The window keeps falling',
    'The window keeps falling',
  ]);
});

it('a page that does not answer is told in the log, and is left to the person', () => {
  asked.windows[0]?.emit('unresponsive');
  expect([loads(), gone]).toEqual([1, 0]);
  expect(troubles).toEqual(['The page of the shell does not answer']);
});
