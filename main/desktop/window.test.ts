import { beforeEach, describe, expect, it, vi } from 'vitest';
import { asked, emitReady, resetElectron } from '../testing/stand-in/electron.ts';
import { createShellWindow } from './window.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

beforeEach(() => {
  resetElectron();
  emitReady();
});

describe('the window of the shell', () => {
  it('has every safety option written out', () => {
    createShellWindow('/built/preload/index.cjs', null);
    expect(asked.windows).toHaveLength(1);
    expect(asked.windows[0]?.options.webPreferences).toEqual({
      preload: '/built/preload/index.cjs',
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      devTools: true,
      navigateOnDragDrop: false,
      safeDialogs: true,
    });
  });

  it('stays hidden until there is something to see', () => {
    createShellWindow('/built/preload/index.cjs', null);
    expect(asked.windows[0]?.options.show).toBe(false);
  });
});
