import { mkdir } from 'node:fs/promises';
import {
  createLog,
  defaultPort,
  HostError,
  hostPaths,
  type HostPaths,
  newSecret,
  type RunningHost,
  startHost,
} from '../service/app/index.ts';
import type { LaunchFlags } from './flags.ts';
import { answerAddressRequests, askForAddress } from './fresh-address.ts';
import { type InstanceLock, LockedError, takeLock } from './instance-lock.ts';
import { builtResources } from './resources.ts';
import { announce, say } from './say.ts';

/** Exit comes at the latest after this, whatever hangs. */
const stopLimitMs = 4_500;

/** Runs the service without a window until a signal ends it. */
export async function runHeadless(flags: LaunchFlags): Promise<void> {
  process.stdout.on('error', () => undefined);
  const paths = hostPaths(flags.workDirectory ?? process.cwd());
  const lock = await lockOrReopen(flags, paths);
  if (lock === null) return;
  const token = flags.token ?? newSecret();
  const log = createLog({ level: flags.logLevel ?? 'INFO', directory: paths.logs });
  const host = await startHost({
    paths,
    port: portOf(flags),
    token,
    machineKey: flags.machineKey,
    log,
    logLevelGiven: flags.logLevel !== null,
    resources: builtResources(flags.web),
    desktop: null,
    setup: flags.setup,
    onListening(port) {
      announce('HOST_PORT', port);
      if (flags.token === null) announce('HOST_TOKEN', token);
      void lock
        .setPort(port)
        .catch((error: unknown) => log.error('launch', 'The lock cannot be written', error));
    },
  }).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  process.on('unhandledRejection', (error) =>
    log.error('launch', 'A failure was not handled', error),
  );
  if (flags.web) offerAddress(host, paths);
  endOnSignals(async () => {
    await host.close();
    await lock.release();
    await log.close();
  });
}

async function lockOrReopen(flags: LaunchFlags, paths: HostPaths): Promise<InstanceLock | null> {
  try {
    await mkdir(paths.host, { recursive: true, mode: 0o700 });
    return await takeLock(paths.host);
  } catch (error) {
    if (error instanceof LockedError && flags.reopen) {
      announce('HOST_URL', await askForAddress(paths.host, error.pid));
      return null;
    }
    throw error instanceof LockedError ? error : unwritable(error, paths);
  }
}

function unwritable(error: unknown, paths: HostPaths): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS' && code !== 'ENOTDIR') return error;
  const detail = `The working directory ${paths.workDirectory} cannot be written. Choose another one with --work-dir=…`;
  return new HostError('unavailable', 'unwritable', detail);
}

/** The default port gives way when it is taken; one that was asked for by number does not. */
function portOf({ port }: LaunchFlags): { number: number; fallback: boolean } {
  const number = port ?? defaultPort;
  return { number, fallback: number === defaultPort };
}

function offerAddress(host: RunningHost, paths: HostPaths): void {
  const address = (): string => `http://127.0.0.1:${host.port}/#ticket=${host.mintWebTicket()}`;
  announce('HOST_URL', address());
  process.on('SIGUSR2', () => {
    announce('HOST_URL', address());
    void answerAddressRequests(paths.host, address);
  });
}

function endOnSignals(close: () => Promise<void>): void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => {
      say('Some parts did not stop in time and were left behind.');
      process.exit(0);
    }, stopLimitMs).unref();
    void close()
      .catch((error: unknown) => say(`Stopping failed: ${String(error)}`))
      .then(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
