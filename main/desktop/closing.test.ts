import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hostPaths } from '../../service/app/index.ts';
import type { DesktopSettings } from '../../service/platform/desktop.ts';
import { asked, emitReady, resetElectron } from '../testing/stand-in/electron.ts';
import { DesktopParts } from './desktop-parts.ts';
import { readLanguage } from './desktop-text.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

const settings: DesktopSettings = {
  theme: 'light',
  language: 'en',
  openAtLogin: false,
  keepInTray: false,
  keepAwake: true,
  keyInKeyring: false,
  disableGpu: false,
  spellcheckDownloads: false,
};

let folder = '';
let parts: DesktopParts;
let ends = 0;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = await mkdtemp(join(tmpdir(), 'closing-'));
  resetElectron();
  emitReady();
  ends = 0;
  await open();
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

async function open(): Promise<void> {
  parts = new DesktopParts(() => undefined);
  parts.endApp = () => void (ends += 1);
  parts.desktop.settingsChanged?.(settings);
  await parts.openWindow(hostPaths(folder));
}

const shell = () => asked.windows[0]!;
const questions = (): unknown[] =>
  asked.dialogs.map(([, options]) => (options as { message: string }).message);
/** Lets work that was started proceed as far as it can. */
const settle = () => vi.advanceTimersByTimeAsync(2_000);

describe('a person who quits', () => {
  it('is not asked if nothing can be lost', async () => {
    parts.quit();
    await settle();
    expect([questions(), asked.windows, ends]).toEqual([[], [], 1]);
  });

  it('is asked once about active runs, however often they quit', async () => {
    parts.desktop.runsActive?.(2);
    parts.quit();
    parts.quit();
    shell().close();
    await settle();
    expect(questions()).toEqual(['2 runs are active. Quit anyway?']);
    expect([asked.windows.length, ends]).toEqual([1, 0]);
    asked.answers.push(0);
    parts.quit();
    await settle();
    expect([questions().length, asked.windows.length, ends]).toEqual([2, 0, 1]);
  });

  it.each([
    ['en', 1, '1 run is active. Quit anyway?'],
    ['zh-CN', 3, '有 3 个运行正在进行。仍要退出吗？'],
  ])('is asked in their language: %s', async (language, count, question) => {
    await readLanguage(language);
    parts.desktop.settingsChanged?.({ ...settings, language });
    parts.desktop.runsActive?.(count);
    parts.quit();
    await settle();
    expect(questions()).toEqual([question]);
  });

  it('is told of schedules in the question about runs, not in a second one', async () => {
    parts.desktop.runsActive?.(1);
    parts.desktop.schedulesActive?.(2);
    asked.answers.push(0);
    parts.quit();
    await settle();
    expect(asked.dialogs.map(([, options]) => options)).toMatchObject([
      {
        message: '1 run is active. Quit anyway?',
        detail:
          'Active runs stop. You can resume them later. Schedules do not run while Plugin Host is closed.',
      },
    ]);
    expect(asked.dialogs[0]?.[1]).not.toHaveProperty('checkboxLabel');
    expect(ends).toBe(1);
  });

  it('is asked about schedules alone, until they do not want to be', async () => {
    await mkdir(hostPaths(folder).config, { recursive: true });
    parts.desktop.schedulesActive?.(1);
    asked.checkbox = true;
    parts.quit();
    await vi.waitFor(() => expect(questions()).toEqual(['1 schedule is active. Quit anyway?']));
    await settle();
    expect(asked.dialogs[0]?.[1]).toMatchObject({
      detail: 'Schedules do not run while Plugin Host is closed.',
      checkboxLabel: "Don't ask again about schedules",
    });
    // Who keeps the app has not decided anything.
    expect([asked.windows.length, ends]).toEqual([1, 0]);
    asked.answers.push(0);
    parts.quit();
    await vi.waitFor(() => expect(ends).toBe(1));
    expect(questions()).toHaveLength(2);
    asked.ipc.clear();
    await open();
    parts.desktop.schedulesActive?.(1);
    parts.quit();
    await vi.waitFor(() => expect(ends).toBe(2));
    expect(questions()).toHaveLength(2);
  });

  it('keeps or discards edits that could not be saved', async () => {
    shell().webContents.beforeUnload = () => true;
    parts.quit();
    await settle();
    expect(questions()).toEqual(['Discard unsaved changes?']);
    expect([asked.windows.length, ends]).toEqual([1, 0]);
    asked.answers.push(0);
    parts.quit();
    await settle();
    expect([asked.windows.length, ends]).toEqual([0, 1]);
  });

  it('is not asked about edits that the page saves meanwhile', async () => {
    let saved = false;
    shell().webContents.beforeUnload = () => {
      const stays = !saved;
      saved = true;
      return stays;
    };
    parts.quit();
    await settle();
    expect([questions(), asked.windows.length, ends]).toEqual([[], 0, 1]);
  });

  it('is not held up by a page that does not answer', async () => {
    shell().webContents.beforeUnload = () => new Promise(() => undefined);
    parts.quit();
    await vi.advanceTimersByTimeAsync(11_000);
    expect([asked.windows.length, ends]).toEqual([0, 1]);
  });
});

it('is asked when closing the window as when quitting, unless it stays in the tray', async () => {
  parts.desktop.runsActive?.(1);
  shell().close();
  await settle();
  expect(questions()).toEqual(['1 run is active. Quit anyway?']);
});

it('is not asked when the system session ends', () => {
  parts.desktop.runsActive?.(2);
  shell().webContents.beforeUnload = () => true;
  shell().emit('session-end', {});
  expect([questions(), ends]).toEqual([[], 1]);
});

describe('while runs are active', () => {
  it('the computer stays awake if that is switched on', () => {
    expect(asked.blockers).toEqual([]);
    for (const count of [1, 2, 1]) parts.desktop.runsActive?.(count);
    expect(asked.blockers).toEqual(['prevent-app-suspension']);
    parts.desktop.runsActive?.(0);
    expect(asked.blockers).toEqual(['']);
    parts.desktop.settingsChanged?.({ ...settings, keepAwake: false });
    parts.desktop.runsActive?.(1);
    expect(asked.blockers).toEqual(['']);
    parts.desktop.settingsChanged?.(settings);
    expect(asked.blockers).toEqual(['', 'prevent-app-suspension']);
  });
});
