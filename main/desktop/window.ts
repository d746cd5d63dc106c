import { BrowserWindow, type BrowserWindowConstructorOptions } from 'electron';

/** The only place that makes windows. Every value is written out: defaults may change. */
export function createShellWindow(preload: string): BrowserWindow {
  return new BrowserWindow(windowOptions(preload));
}

export function windowOptions(preload: string): BrowserWindowConstructorOptions {
  return {
    width: 1280,
    height: 800,
    minWidth: 480,
    minHeight: 400,
    show: false,
    title: 'Plugin Host',
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
    },
  };
}
