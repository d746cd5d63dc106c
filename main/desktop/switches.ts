import { app } from 'electron';
import { UsageError } from '../usage-error.ts';
import { desktopTexts } from './desktop-text.ts';

/**
 * Switches of Chromium and Node that open the app to other programs or weaken the isolation of
 * pages.
 */
export const refusedSwitches = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-allow-origins',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'js-flags',
  'no-sandbox',
  'disable-gpu-sandbox',
  'disable-setuid-sandbox',
  'disable-web-security',
  'disable-site-isolation-trials',
  'allow-running-insecure-content',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'host-rules',
  'host-resolver-rules',
  'proxy-server',
  'proxy-pac-url',
  'unsafely-treat-insecure-origin-as-secure',
  'load-extension',
  'user-data-dir',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
  'ppapi-plugin-launcher',
  'enable-logging',
  'log-net-log',
] as const;

/** Thrown if the start script of an AppImage turned the sandbox off because the system does not allow it. */
export class MissingSandboxError extends UsageError {
  constructor() {
    super(desktopTexts('en')('desktop.noSandbox'));
  }
}

/**
 * Refuses such switches in a packaged app.
 * @throws UsageError if the app was started with one of them
 */
export function refuseSwitches(): void {
  if (!app.isPackaged) return;
  const found = refusedSwitches.filter((name) => app.commandLine.hasSwitch(name));
  const [first] = found;
  if (first === undefined) return;
  const isOfAppImage = process.env['APPIMAGE'] !== undefined && found.length === 1;
  if (isOfAppImage && first === 'no-sandbox') throw new MissingSandboxError();
  throw new UsageError(`--${first} cannot be used with this app.`);
}
