import type { BrowserEngine } from './browser/browser-engine.ts';
import type { ComputerEngine } from './computer/computer-engine.ts';
import type { Updater } from './updater.ts';

export type { ComputerDisplay, ComputerEngine } from './computer/computer-engine.ts';
export type { DesktopSystem, ScreenAccess } from './computer/desktop/desktop-system.ts';
export type { SwapOutcome, SwapPlan } from './swap-plan.ts';
export type { Updater } from './updater.ts';
export type { BrowserEngine } from './browser/browser-engine.ts';

/**
 * What only a desktop can give. The main process implements it with Electron; headless there is none,
 * and no file of the service asks whether Electron is there.
 */
export interface Desktop {
  /** Shows pages to models; absent: an installed Chromium does. */
  browser?: BrowserEngine;
  /** Shows the screen to models and presses keys for them; absent: an X11 display is looked for. */
  computer?: ComputerEngine;
  /** Whether a person chose this path in a dialog, or dropped it on the window, since the start. */
  wasChosen(path: string): boolean;
  /** Told at the start of the service and with every change of one of them. */
  settingsChanged?(settings: DesktopSettings): void;
  /** Told of each new notification. */
  notified?(notification: DesktopNotification): void;
  /** Told when a model begins to press keys and buttons, and when it has ended: none of them are for the shell. */
  modelPresses?(pressing: boolean): void;
  /** Called with the number of active runs whenever it changes. */
  runsActive?(count: number): void;
  /** Opened without a terminal, so with the PATH of the system alone, not the one that a person set up. */
  isFromLauncher?: boolean;
  /** Updates the package through the public channel; absent: this package is not updated so. */
  updater?: Updater;
}

/** What a person set that the system has to know. */
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
  /** Where in the shell it leads, such as `/agent/<id>`, or an https address. */
  link: string | null;
}
