import { join } from 'node:path';
import { app, type Event, powerMonitor, session } from 'electron';
import { createLog, hostPaths, type Log, newSecret, startHost } from '../../service/app/index.ts';
import type { LaunchFlags } from '../flags.ts';
import { readBuildFacts } from '../build-facts.ts';
import { endOnce } from '../end-once.ts';
import { portChoice } from '../port-choice.ts';
import { tellProperties } from '../properties.ts';
import { builtResources } from '../resources.ts';
import { logUncaught, logUnhandled, outliveReaders } from '../safety-nets.ts';
import { restoreFirst } from '../restore.ts';
import { announce } from '../say.ts';
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
  // A second start may ask for an address; unhandled, the signal would end the app.
  process.on('SIGUSR2', () => undefined);
  let serviceUrl = '';
  let log: Log | null = null;
  const parts = new DesktopParts((what, error) => log?.error('desktop', what, error));
  guardPages(
    app,
    () => serviceUrl,
    (address) => parts.openOutside(address),
  );
  // One lock per working directory: what the system keeps of the app is kept there as well.
  if (paths.workDirectory !== app.getPath('userData'))
    app.setPath('userData', join(paths.host, 'electron'));
  // The first one is told of this start, and shows its window; this one ends with the lock below.
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
  tellProperties(flags.properties, opened);
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
  serveShell({ directory, serviceUrl, token, look: host.appearance });
  await parts.openWindow(paths);
  if (movedFrom !== null) parts.tellMove(movedFrom, paths.workDirectory);
}

const unprepared = (flags: LaunchFlags): PreparedDesktop => ({
  paths: hostPaths(flags.workDirectory ?? userDataDirectory()),
  movedFrom: null,
});

/** Quitting waits for the service to end, once: at once where the system ends the app, else after questions. */
function endWithTheApp(parts: DesktopParts, close: () => Promise<void>): void {
  const endAll = endOnce(close, (code) => app.exit(code));
  let isEnding = false;
  const end = (): void => {
    isEnding = true;
    parts.end();
    endAll();
  };
  parts.endApp = end;
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (!isEnding) parts.quit();
  });
  const endUnlessInTray = (): void => {
    if (!parts.staysInTray) end();
  };
  // The pages of models are windows, too, and keep no app alive.
  parts.windowClosed = endUnlessInTray;
  app.on('window-all-closed', endUnlessInTray);
  // Only now: Electron puts its own handlers of signals in the place of those set before it was ready.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  // Its event is there, whatever the types say: prevented, the system waits for the app to end.
  const onShutdown = (event: Event): void => {
    event.preventDefault();
    end();
  };
  powerMonitor.on('shutdown', onShutdown as () => void);
}
