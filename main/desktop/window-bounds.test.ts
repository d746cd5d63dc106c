import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BrowserWindow, emitReady, resetElectron, screen } from '../testing/stand-in/electron.ts';
import { readBounds, trackBounds } from './window-bounds.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

let folder = '';
const file = (): string => join(folder, 'window.json');
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'window-place-'));
  resetElectron();
  emitReady();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const bounds = { x: 10, y: 20, width: 900, height: 700 };

/** Moves a window, closes it, and waits until its position is written. */
async function closeAt(maximized: boolean): Promise<void> {
  const window = new BrowserWindow({});
  trackBounds(window as never, file(), (error) => {
    throw error;
  });
  window.setBounds(bounds);
  if (maximized) window.maximize();
  window.close();
  await expect.poll(() => readFile(file(), 'utf8').catch(() => '')).toContain('}');
}

describe('the bounds of the window', () => {
  it.each([true, false])('are restored, maximized: %j', async (maximized) => {
    await closeAt(maximized);
    expect(await readBounds(file())).toEqual({ ...bounds, maximized });
    if (process.platform !== 'win32') expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  it('are ignored if no display shows them any more', async () => {
    await closeAt(false);
    const [display] = screen.getAllDisplays();
    const away = { ...bounds, x: (display?.workArea.width ?? 0) + 5_000 };
    await writeFile(file(), JSON.stringify({ ...away, maximized: false }));
    expect(await readBounds(file())).toBeNull();
  });

  it.each(['', '{', '{"x":1}', '{"x":1,"y":1,"width":1,"height":1,"maximized":false}'])(
    'are null if the file contains %j',
    async (text) => {
      await writeFile(file(), text);
      expect(await readBounds(file())).toBeNull();
    },
  );
});
