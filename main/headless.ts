import {
  closeInherited,
  createLog,
  hostPaths,
  type HostPaths,
  newSecret,
  type RunningHost,
  startHost,
} from '../service/app/index.ts';
import { readBuildFacts } from './build-facts.ts';
import { endOnce } from './end-once.ts';
import type { LaunchFlags } from './flags.ts';
import { answerAddressRequests, askForAddress } from './fresh-address.ts';
import { type InstanceLock, LockedError } from './instance-lock.ts';
import { portChoice } from './port-choice.ts';
import { logWeakenedGuards } from './properties.ts';
import { builtResources } from './resources.ts';
import { logUnhandled, outliveReaders } from './safety-nets.ts';
import { restoreFirst } from './restore.ts';
import { announce, leaveStdout } from './terminal-output.ts';
import { lockWorkDirectory, startFailure } from './work-directory.ts';

/** Runs the service without a window until a signal ends it. */
export async function runHeadless(flags: LaunchFlags): Promise<void> {
  await closeInherited();
  outliveReaders();
  if (flags.mcp) leaveStdout();
  const paths = hostPaths(flags.workDirectory ?? process.cwd());
  const giveAddress = answerSignals(paths);
  const lock = await lockOrReopen(flags, paths);
  if (lock === null) return;
  await restoreFirst(flags.restore, paths, lock);
  const token = flags.token ?? newSecret();
  const log = createLog({ level: flags.logLevel ?? 'INFO', directory: paths.logs });
  logUnhandled(log);
  logWeakenedGuards(flags.properties, log);
  const starting = startHost({
    paths,
    port: portChoice(flags.port),
    token,
    machineKey: flags.machineKey,
    properties: flags.properties,
    log,
    logLevelFromLaunch: flags.logLevel !== null,
    resources: builtResources(flags.web),
    desktop: null,
    build: await readBuildFacts(flags, () => end()),
    setup: flags.setup,
    onListening(port) {
      announce('HOST_PORT', port);
      if (flags.token === null) announce('HOST_TOKEN', token);
      void lock
        .setPort(port)
        .catch((error: unknown) => log.error('launch', 'The lock cannot be written', error));
    },
  });
  const end = endOnce(
    async () => {
      const host = await starting.catch(() => null);
      await host?.close();
      await lock.release();
      await log.close();
    },
    (code) => process.exit(code),
  );
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  const host = await starting.catch(async (error: unknown) => {
    await lock.release();
    throw startFailure(error, paths);
  });
  if (flags.web) giveAddress(host);
  if (!flags.mcp) return;
  await host.serveMcp({ input: process.stdin, output: process.stdout });
  // The parent process has exited.
  process.stdin.once('close', end);
}

async function lockOrReopen(flags: LaunchFlags, paths: HostPaths): Promise<InstanceLock | null> {
  try {
    return await lockWorkDirectory(paths);
  } catch (error) {
    const restores = Object.keys(flags.restore).length > 0;
    if (error instanceof LockedError && flags.reopen && !restores) {
      announce('HOST_URL', await askForAddress(paths.host, error.pid));
      return null;
    }
    throw error;
  }
}

/**
 * Handles SIGUSR2 from the start, as the signal would end the process without a handler. Requests
 * that arrive before there is an address are answered once the host runs.
 */
function answerSignals(paths: HostPaths): (host: RunningHost) => void {
  let running: RunningHost | null = null;
  const answer = (): void => {
    const host = running;
    if (host === null) return;
    const address = (): string => `http://127.0.0.1:${host.port}/#ticket=${host.mintWebTicket()}`;
    announce('HOST_URL', address());
    void answerAddressRequests(paths.host, address);
  };
  process.on('SIGUSR2', answer);
  return (host) => {
    running = host;
    answer();
  };
}
