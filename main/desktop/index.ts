import { join } from 'node:path';
import { isatty } from 'node:tty';
import { app, dialog, net, protocol, session } from 'electron';
import { createLog, hostPaths, newSecret, startHost } from '../../service/app/index.ts';
import type { LaunchFlags } from '../flags.ts';
import { endOnce } from '../end-once.ts';
import { portChoice } from '../port-choice.ts';
import { tellProperties } from '../properties.ts';
import { builtResources } from '../resources.ts';
import { logUnhandled, outliveReaders } from '../safety-nets.ts';
import { restoreFirst } from '../restore.ts';
import { announce } from '../say.ts';
import { lockWorkDirectory, startFailure } from '../work-directory.ts';
import { guardPages, guardSession } from './guards.ts';
import { registerShellScheme, shellHandler, shellScheme, shellUrl } from './shell-scheme.ts';
import { userDataDirectory } from './user-data.ts';
import { createShellWindow } from './window.ts';

/** Starts the service in Electron's main process and opens the shell. */
export async function runDesktop(flags: LaunchFlags): Promise<void> {
  outliveReaders();
  registerShellScheme();
  // A second start may ask for an address; unhandled, the signal would end the app.
  process.on('SIGUSR2', () => undefined);
  let serviceUrl = '';
  guardPages(app, () => serviceUrl);
  await app.whenReady();
  guardSession(session.defaultSession);
  const paths = hostPaths(flags.workDirectory ?? userDataDirectory());
  const lock = await lockWorkDirectory(paths);
  await restoreFirst(flags.restore, paths, lock);
  const token = flags.token ?? newSecret();
  const log = createLog({ level: flags.logLevel ?? 'INFO', directory: paths.logs });
  logUnhandled(log);
  tellProperties(flags.properties, log);
  const host = await startHost({
    paths,
    port: portChoice(flags.port),
    token,
    machineKey: flags.machineKey,
    properties: flags.properties,
    log,
    logLevelGiven: flags.logLevel !== null,
    resources: builtResources(false),
    desktop: {
      computerUse: () => ({ available: false, reason: 'This release has no computer tools.' }),
      isFromLauncher: ![0, 1, 2].some((descriptor) => isatty(descriptor)),
    },
    setup: flags.setup,
    onListening: (port) => announce('HOST_PORT', port),
  }).catch(async (error: unknown) => {
    await lock.release();
    throw startFailure(error, paths);
  });
  await lock.setPort(host.port);
  serviceUrl = `http://127.0.0.1:${host.port}`;
  const directory = builtResources(true).shell as string;
  protocol.handle(
    shellScheme,
    shellHandler({ directory, serviceUrl, token, fetch: (url, init) => net.fetch(url, init) }),
  );
  endWithTheApp(async () => {
    await host.close();
    await lock.release();
    await log.close();
  });
  await openWindow();
}

async function openWindow(): Promise<void> {
  const window = createShellWindow(join(import.meta.dirname, '..', 'preload', 'index.cjs'));
  window.once('ready-to-show', () => window.show());
  await window
    .loadURL(shellUrl)
    .catch((error: unknown) => dialog.showErrorBox('The shell cannot be opened', String(error)));
}

/** Quitting waits for the service to end, once. */
function endWithTheApp(close: () => Promise<void>): void {
  const end = endOnce(close, (code) => app.exit(code));
  app.on('before-quit', (event) => {
    event.preventDefault();
    end();
  });
  app.on('window-all-closed', end);
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
