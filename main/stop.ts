import { setTimeout as wait } from 'node:timers/promises';
import { hostPaths } from '../service/app/index.ts';
import type { LaunchFlags } from './flags.ts';
import { findHolder } from './instance-lock.ts';
import { defaultDirectory } from './doctor.ts';
import { printMessage } from './terminal-output.ts';

/** A host ends within 5 seconds; this leaves time for a busy machine. */
const limitMs = 15_000;
const pollMs = 50;

/** Stops the host of a working directory and waits for its end. Resolves with the exit code. */
export async function runStop(flags: LaunchFlags): Promise<number> {
  const directory = flags.workDirectory ?? (await defaultDirectory(flags));
  const { host } = hostPaths(directory);
  const holder = await findHolder(host);
  if (holder === null) {
    printMessage(`No host runs in ${directory}.`);
    return 1;
  }
  try {
    process.kill(holder.pid, 'SIGTERM');
  } catch (error) {
    printMessage(`The host (process ${holder.pid}) cannot be ended: ${(error as Error).message}`);
    return 1;
  }
  for (const end = performance.now() + limitMs; performance.now() < end; await wait(pollMs)) {
    const now = await findHolder(host);
    if (now?.pid !== holder.pid) return 0;
  }
  printMessage(`The host (process ${holder.pid}) did not end within ${limitMs / 1_000} seconds.`);
  return 1;
}
