import { join } from 'node:path';
import { isatty } from 'node:tty';
import { app, type BrowserWindow, dialog, nativeTheme, session } from 'electron';
import {
  bridgeNews,
  DesktopEngine,
  DrivenEngine,
  type HostPaths,
} from '../../service/app/index.ts';
import type { Desktop, DesktopSettings } from '../../service/platform/desktop.ts';
import { trayIcon } from '../resources.ts';
import { AskToQuit, askToDiscard } from './ask-to-quit.ts';
import { answerBridge } from './bridge.ts';
import { followAutostart } from './autostart.ts';
import { ModelBrowser } from './browser/model-browser.ts';
import { ChosenPaths } from './chosen-paths.ts';
import { showContextMenus } from './context-menu.ts';
import { electronSystem } from './computer/electron-system.ts';
import { pluginIn } from './deep-links.ts';
import { keepEarlySettings } from './early-settings.ts';
import { InputShield } from './input-shield.ts';
import { setMenu } from './menu.ts';
import { openExternal } from './open-external.ts';
import { isPackage, packagesIn } from './opened-files.ts';
import { publicUpdates } from './public-updates.ts';
import { QuitChoice } from './quit-choice.ts';
import { Saves } from './saves.ts';
import { ShellWindow } from './shell-window.ts';
import { SleepBlock } from './sleep-block.ts';
import { followSpelling } from './spelling.ts';
import { SystemNotifications } from './system-notifications.ts';
import { isInTray } from './tray-host.ts';
import { TrayIcon } from './tray.ts';
import { WindowNews } from './window-news.ts';
import { desktopTexts, readLanguage } from './desktop-text.ts';

/** On Linux the service uses the X11 display directly. */
const hasOwnScreen = process.platform === 'darwin' || process.platform === 'win32';

type ReportError = (what: string, error: unknown) => void;

/**
 * Implements the service's `Desktop` with Electron, and owns the parts around the window such as
 * the tray.
 */
export class DesktopParts {
  readonly desktop: Desktop;
  readonly saves = new Saves();
  /** Called when the shell window is closed, not when it is only hidden. */
  windowClosed: () => void = () => undefined;
  /** Ends the app without questions. */
  endApp: () => void = () => undefined;
  /** Seals the machine key with the keyring, or writes it back to its file. */
  keepKeyInKeyring: (wanted: boolean) => Promise<void> = () => Promise.resolve();
  private readonly sleepBlock = new SleepBlock();
  private readonly quitting = new AskToQuit({
    window: () => this.window?.current ?? null,
    activeRuns: () => this.sleepBlock.activeRuns,
    activeSchedules: () => this.activeSchedules,
    choice: () => (this.paths === null ? null : new QuitChoice(this.paths)),
    language: () => this.language,
    leave: () => this.window?.leave() ?? Promise.resolve(true),
    end: () => this.endApp(),
  });
  private readonly chosen = new ChosenPaths();
  private readonly shield = new InputShield();
  private readonly news: WindowNews;
  private readonly notifications: SystemNotifications;
  private readonly tray: TrayIcon;
  private readonly reportError: ReportError;
  private settings: DesktopSettings | null = null;
  private window: ShellWindow | null = null;
  private paths: HostPaths | null = null;
  private activeSchedules = 0;

  constructor(reportError: ReportError) {
    this.reportError = reportError;
    this.news = new WindowNews((channel, value) =>
      this.window?.current?.webContents.send(channel, value),
    );
    this.notifications = new SystemNotifications({
      isSeen: () => this.window?.current?.isFocused() === true,
      open: (path) => this.show(path),
    });
    this.tray = new TrayIcon(trayIcon(), { show: () => this.show(), quit: () => app.quit() });
    this.desktop = {
      browser: new DrivenEngine((send) => new ModelBrowser(send)),
      ...(hasOwnScreen ? { computer: this.computer() } : {}),
      isFromLauncher: ![0, 1, 2].some((descriptor) => isatty(descriptor)),
      wasChosen: (path) => this.chosen.has(path),
      modelPresses: (pressing) => this.shield.follow(pressing),
      settingsChanged: (settings) => this.follow(settings),
      runsActive: (count) => this.sleepBlock.runsActive(count),
      schedulesActive: (count) => void (this.activeSchedules = count),
      notified: (notification) => this.notifications.show(notification),
      updater: publicUpdates(),
    };
  }

  /**
   * Listens for packages and links that the system opens with the app, and for crashed processes. A
   * package is offered to the person; opening it installs nothing.
   */
  listen(): void {
    app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
      if (reason === 'clean-exit') return;
      const which = name === undefined ? type : `${type}, ${name}`;
      this.reportError(
        `A process of Electron is gone (${which}: ${reason}, ${exitCode})`,
        undefined,
      );
    });
    app.on('second-instance', (_event, args, directory) => {
      this.takeArguments(args, directory);
      this.show();
    });
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.takeLink([link]);
      this.show();
    });
    app.on('open-file', (event, path) => {
      event.preventDefault();
      if (isPackage(path)) this.takePackage(path);
      this.show();
    });
    app.on('activate', () => this.show());
  }

  /** Handles packages and links on the command line. */
  takeArguments(args: readonly string[], directory: string): void {
    for (const path of packagesIn(args, directory)) this.takePackage(path);
    this.takeLink(args);
  }

  private takeLink(args: readonly string[]): void {
    const plugin = pluginIn(args);
    if (plugin !== null) this.news.send(bridgeNews.install, plugin);
  }

  private takePackage(path: string): void {
    this.chosen.add(path);
    app.addRecentDocument(path);
    this.news.send(bridgeNews.package, path);
  }

  async openWindow(paths: HostPaths): Promise<void> {
    this.paths = paths;
    if (this.settings) this.keepEarly(this.settings);
    this.window = new ShellWindow({
      preload: join(import.meta.dirname, '..', 'preload', 'index.cjs'),
      news: this.news,
      language: () => this.language,
      boundsFile: join(paths.config, 'window.json'),
      staysHidden: () => this.tray.isVisible,
      hide: (window) => this.hide(window),
      closing: () => this.quit(),
      mayDiscard: (window) => askToDiscard(window, this.language),
      made: (window) => {
        this.shield.guard(window.webContents);
        showContextMenus(window, () => this.language);
        window.on('session-end', () => this.endApp());
      },
      closed: () => this.windowClosed(),
      pageGone: () => void this.saves.dropAll(),
      reportError: this.reportError,
    });
    const window = (): Electron.BrowserWindow | null => this.window?.current ?? null;
    answerBridge({
      window,
      chosen: this.chosen,
      saves: this.saves,
      news: this.news,
      language: () => this.language,
    });
    await this.window.show();
  }

  /** Tells the person once that data of an older version was moved. */
  reportMove(from: string, to: string): void {
    const message = desktopTexts(this.language)('desktop.dataMoved', { from, to });
    dialog
      .showMessageBox({ type: 'info', message })
      .catch((error: unknown) => this.reportError(message, error));
  }

  openOutside(address: string): void {
    const window = this.window?.current;
    if (window)
      openExternal(window, address, this.language).catch((error: unknown) =>
        this.reportError('An address could not be opened', error),
      );
  }

  /** True if the app keeps running when its window is closed. */
  get staysInTray(): boolean {
    return this.tray.isVisible;
  }

  /** Quits on a person's request; asks about active runs, schedules and unsaved edits. */
  quit(): void {
    this.quitting.ask().catch((error: unknown) => {
      this.reportError('Quitting failed', error);
      this.endApp();
    });
  }

  /** Closes the window for good and removes the tray icon. */
  end(): void {
    this.window?.end();
    this.tray.remove();
  }

  private show(path: string | null = null): void {
    if (path !== null) this.news.send(bridgeNews.navigate, path);
    this.window?.show().catch((error: unknown) => this.reportError('No window', error));
  }

  private get language(): string {
    return this.settings?.language ?? 'en';
  }

  /** Minimizes the window if no tray shows the icon, so that it stays reachable. */
  private hide(window: BrowserWindow): void {
    void isInTray().then((isVisible) => {
      if (window.isDestroyed()) return;
      if (isVisible) window.hide();
      else window.minimize();
    });
  }

  private keepEarly(settings: DesktopSettings): void {
    if (!this.paths) return;
    keepEarlySettings(this.paths, settings).catch((error: unknown) =>
      this.reportError('What the next start needs to know is not kept', error),
    );
  }

  private computer(): DesktopEngine {
    return new DesktopEngine(electronSystem(() => this.language));
  }

  private follow(settings: DesktopSettings): void {
    const before = this.settings;
    this.settings = { ...settings };
    nativeTheme.themeSource = settings.theme;
    this.sleepBlock.want(settings.keepAwake);
    if (before?.keyInKeyring !== settings.keyInKeyring)
      this.keepKeyInKeyring(settings.keyInKeyring).catch((error: unknown) =>
        this.reportError('The key of the machine stays where it is', error),
      );
    if (before?.language !== settings.language) void this.speak(settings.language);
    if (before?.openAtLogin !== settings.openAtLogin && app.isPackaged)
      followAutostart(settings.openAtLogin).catch((error: unknown) =>
        this.reportError('The app cannot be started with the session', error),
      );
    followSpelling(session.defaultSession, {
      mayDownload: settings.spellcheckDownloads,
      language: settings.language,
    });
    this.keepEarly(settings);
    this.followTray(settings);
  }

  /** Creates the menus once the texts of the language are loaded. */
  private async speak(language: string): Promise<void> {
    await readLanguage(language);
    if (this.settings?.language !== language) return;
    setMenu(language);
    this.followTray(this.settings);
  }

  private followTray(settings: DesktopSettings): void {
    try {
      this.tray.follow(settings);
    } catch (error) {
      this.reportError('This system shows no sign beside the clock', error);
    }
  }
}
