import { beforeEach, describe, expect, it, vi } from 'vitest';
import { asked, emitReady, resetElectron } from '../testing/stand-in/electron.ts';
import type { Session } from 'electron';
import { createModelWindow, createShellWindow } from './window.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

beforeEach(() => {
  resetElectron();
  emitReady();
});

/** Preferences that every page must have. */
const shutIn = {
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
};

describe('the window of the shell', () => {
  it('has every safety option written out', () => {
    createShellWindow('/built/preload/index.cjs', null);
    expect(asked.windows).toHaveLength(1);
    expect(asked.windows[0]?.options.webPreferences).toEqual({
      preload: '/built/preload/index.cjs',
      ...shutIn,
    });
  });

  it('stays hidden until there is something to show', () => {
    createShellWindow('/built/preload/index.cjs', null);
    expect(asked.windows[0]?.options.show).toBe(false);
  });
});

describe('a window for models', () => {
  it('has every safety option written out, no preload, and a session of its own', () => {
    const session = { name: 'of models' } as unknown as Session;
    createModelWindow(session);
    const { show, webPreferences } = asked.windows[0]?.options ?? {};
    expect(show).toBe(false);
    expect(webPreferences).toEqual({
      session,
      offscreen: true,
      backgroundThrottling: false,
      spellcheck: false,
      ...shutIn,
    });
  });
});
