import { join } from 'node:path';
import { app, type Event, powerMonitor, session } from 'electron';
import { createLog, hostPaths, type Log, newSecret, startHost } from '../../service/app/index.ts';
import type { LaunchFlags } from '../flags.ts';
import { readBuildFacts } from '../build-facts.ts';
import { endOnce } from '../end-once.ts';
import { portChoice } from '../port-choice.ts';
import { logWeakenedGuards } from '../properties.ts';
import { builtResources } from '../resources.ts';
import { logUncaught, logUnhandled, outliveReaders } from '../safety-nets.ts';
import { restoreFirst } from '../restore.ts';
import { announce } from '../terminal-output.ts';
import { lockWorkDirectory, startFailure } from '../work-directory.ts';
import { DesktopParts } from './desktop-parts.ts';
import { guardPages, guardSession } from './guards.ts';
import { MachineKey } from './machine-key.ts';
import { lockNetwork } from './network-lock.ts';
import { registerShellScheme, serveShell } from './shell-scheme.ts';
import type { PreparedDesktop } from './prepare-desktop.ts';
import { registerLinks } from './register-links.ts';
import { refuseSwitches } from './switches.ts';
import { userDataDirectory } from './user-data.ts';

/** Starts the service in Electron's main process and opens the shell. */
export async function runDesktop(
  flags: LaunchFlags,
  { paths, movedFrom }: PreparedDesktop = unprepared(flags),
): Promise<void> {
  refuseSwitches();
  outliveReaders();
  registerShellScheme();
  // A second start may request an address by SIGUSR2; without a handler the signal would end the
  // app.
  process.on('SIGUSR2', () => undefined);
  let serviceUrl = '';
  let log: Log | null = null;
  const parts = new DesktopParts((what, error) => log?.error('desktop', what, error));
  guardPages(
    app,
    () => serviceUrl,
    (address) => parts.openOutside(address),
  );
  // Electron's single-instance lock lies in this folder, so it must be the working directory.
  if (paths.workDirectory !== app.getPath('userData'))
    app.setPath('userData', join(paths.host, 'electron'));
  // The first instance is notified and shows its window; this one fails at the lock below.
  app.requestSingleInstanceLock();
  parts.listen();
  parts.takeArguments(process.argv, process.cwd());
  await app.whenReady();
  guardSession(session.defaultSession);
  lockNetwork(session.defaultSession, () => serviceUrl);
  const lock = await lockWorkDirectory(paths);
  await restoreFirst(flags.restore, paths, lock);
  const token = flags.token ?? newSecret();
  const opened = createLog({ level: flags.logLevel ?? 'INFO', directory: paths.logs });
  log = opened;
  logUnhandled(opened);
  logUncaught(opened);
  logWeakenedGuards(flags.properties, opened);
  const machineKey = new MachineKey(paths.machineId);
  const openedKey = flags.machineKey ?? (await machineKey.open());
  parts.keepKeyInKeyring = (wanted) =>
    flags.machineKey === null ? machineKey.keepInKeyring(wanted) : Promise.resolve();
  const build = await readBuildFacts(flags, () => parts.endApp());
  registerLinks(build.kind);
  const starting = startHost({
    paths,
    port: portChoice(flags.port),
    token,
    machineKey: openedKey,
    properties: flags.properties,
    log: opened,
    logLevelFromLaunch: flags.logLevel !== null,
    resources: builtResources(false),
    desktop: parts.desktop,
    build,
    setup: flags.setup,
    onListening: (port) => announce('HOST_PORT', port),
  });
  endWithTheApp(parts, async () => {
    await parts.saves.dropAll();
    const host = await starting.catch(() => null);
    await host?.close();
    await lock.release();
    await opened.close();
  });
  const host = await starting.catch(async (error: unknown) => {
    await lock.release();
    throw startFailure(error, paths);
  });
  await lock.setPort(host.port);
  serviceUrl = `http://127.0.0.1:${host.port}`;
  const directory = builtResources(true).shell as string;
  serveShell({ directory, serviceUrl, token, theme: host.appearance });
  await parts.openWindow(paths);
  if (movedFrom !== null) parts.reportMove(movedFrom, paths.workDirectory);
}

const unprepared = (flags: LaunchFlags): PreparedDesktop => ({
  paths: hostPaths(flags.workDirectory ?? userDataDirectory()),
  movedFrom: null,
});

/**
 * Delays quitting until the service has ended. The system's shutdown ends it at once, a person is
 * asked first.
 */
function endWithTheApp(parts: DesktopParts, close: () => Promise<void>): void {
  const endAll = endOnce(close, (code) => app.exit(code));
  let isClosing = false;
  const end = (): void => {
    isClosing = true;
    parts.end();
    endAll();
  };
  parts.endApp = end;
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (!isClosing) parts.quit();
  });
  const endUnlessInTray = (): void => {
    if (!parts.staysInTray) end();
  };
  // Pages of models are windows too, but must not keep the app alive.
  parts.windowClosed = endUnlessInTray;
  app.on('window-all-closed', endUnlessInTray);
  // Set only now: Electron replaces signal handlers that were set before it was ready.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  // The event object is passed although the types lack it; `preventDefault` makes the system wait.
  const onShutdown = (event: Event): void => {
    event.preventDefault();
    end();
  };
  powerMonitor.on('shutdown', onShutdown as () => void);
}
