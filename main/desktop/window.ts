import {
  app,
  BrowserWindow,
  type BrowserWindowConstructorOptions,
  type Rectangle,
  type Session,
} from 'electron';
import type { WindowBounds } from './window-bounds.ts';

/**
 * Creates the shell window. This file is the only one that creates windows; it writes out every
 * preference because defaults may change.
 */
export function createShellWindow(preload: string, bounds: WindowBounds | null): BrowserWindow {
  return new BrowserWindow(windowOptions(preload, bounds));
}

/** Restrictive preferences for every page. */
const shutIn = () =>
  ({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    devTools: !app.isPackaged,
    navigateOnDragDrop: false,
    safeDialogs: true,
  }) as const;

/** Creates a hidden window for pages of models, without a preload, in a session of its own. */
export function createModelWindow(session: Session): BrowserWindow {
  return new BrowserWindow(modelWindowOptions(session));
}

export function modelWindowOptions(session: Session): BrowserWindowConstructorOptions {
  return {
    width: 1280,
    height: 800,
    show: false,
    skipTaskbar: true,
    webPreferences: {
      ...shutIn(),
      session,
      offscreen: true,
      backgroundThrottling: false,
      spellcheck: false,
    },
  };
}

/** Creates the strip that says that a model is in control: visible to all, no input, no scripts. */
export function createIndicatorWindow(title: string, bounds: Rectangle): BrowserWindow {
  return new BrowserWindow({
    ...bounds,
    title,
    show: false,
    frame: false,
    focusable: false,
    skipTaskbar: true,
    hasShadow: false,
    resizable: false,
    movable: false,
    minimizable: false,
    maximizable: false,
    closable: false,
    fullscreenable: false,
    roundedCorners: false,
    alwaysOnTop: true,
    backgroundColor: '#b02020',
    webPreferences: { ...shutIn(), javascript: false, devTools: false, spellcheck: false },
  });
}

function windowOptions(
  preload: string,
  bounds: WindowBounds | null,
): BrowserWindowConstructorOptions {
  const { x, y, width, height } = bounds ?? {};
  return {
    width: width ?? 1280,
    height: height ?? 800,
    ...(x === undefined || y === undefined ? {} : { x, y }),
    minWidth: 480,
    minHeight: 400,
    show: false,
    title: 'Plugin Host',
    autoHideMenuBar: true,
    webPreferences: { preload, ...shutIn() },
  };
}
