import type { BrowserEngine } from './browser/browser-engine.ts';
import type { ComputerEngine } from './computer/computer-engine.ts';
import type { Updater } from './updater.ts';

export type { ComputerDisplay, ComputerEngine } from './computer/computer-engine.ts';
export type { DesktopSystem, ScreenAccess } from './computer/desktop/desktop-system.ts';
export type { SwapOutcome, SwapPlan } from './swap-plan.ts';
export type { Updater } from './updater.ts';
export type { BrowserEngine } from './browser/browser-engine.ts';

/**
 * Functions that only a desktop provides. The main process implements it with Electron; it is null
 * for a headless host. No file of the service checks for Electron.
 */
export interface Desktop {
  /** Shows pages to models; absent: an installed Chromium is used. */
  browser?: BrowserEngine;
  /** Screen and input for models; absent: an X11 display is searched for. */
  computer?: ComputerEngine;
  /**
   * Returns true if the user chose this path in a dialog, or dropped it on the window, since the
   * start.
   */
  wasChosen(path: string): boolean;
  /** Called at the start of the service and after each change of one of them. */
  settingsChanged?(settings: DesktopSettings): void;
  /** Called with each new notification. */
  notified?(notification: DesktopNotification): void;
  /**
   * Called when a model starts and stops sending input, which must not trigger shortcuts of the
   * shell.
   */
  modelPresses?(pressing: boolean): void;
  /** Called with the number of active runs whenever it changes. */
  runsActive?(count: number): void;
  /** Called with the number of active schedules that no other host runs, whenever it changes. */
  schedulesActive?(count: number): void;
  /**
   * True if the app was started without a terminal, so that it has the PATH of the system instead
   * of the user's.
   */
  isFromLauncher?: boolean;
  /** Updates the package through the public channel; absent if this package cannot be updated. */
  updater?: Updater;
}

/** Settings of the user that affect the system. */
export interface DesktopSettings {
  theme: 'light' | 'dark';
  language: string;
  openAtLogin: boolean;
  keepInTray: boolean;
  keepAwake: boolean;
  keyInKeyring: boolean;
  disableGpu: boolean;
  spellcheckDownloads: boolean;
}

/** A notification for the desktop, in the language of the user. */
export interface DesktopNotification {
  level: 'info' | 'success' | 'warning' | 'error';
  title: string;
  body: string | null;
  /** Target of a click: a path in the shell such as `/agent/<id>`, or an https address. */
  link: string | null;
}
