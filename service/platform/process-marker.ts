import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findProgram } from './find-program.ts';

/** Environment variable with the marker of the process tree that a process belongs to. */
export const treeVariable = 'HOST_PROCESS_TREE';

/** All markers have the same number of digits, so that none is a prefix of another. */
const smallest = 10 ** 14;
const randomRange = 2 ** 47;

export const newMarker = (): string => String(smallest + randomInt(randomRange));

/**
 * Name of the limit in /proc on Linux. Every process inherits this limit, but the kernel has not
 * applied it for twenty years: its value can serve as a marker that survives a new session and a
 * cleared environment.
 */
const limitName = 'Max file locks';
const limitLine = new RegExp(`^${limitName} +(\\d+|unlimited) +(\\d+|unlimited)`, 'm');

/** For `grep -E` in files of /proc: matches every process of the tree. */
export const markerPattern = (marker: string): string =>
  `^${limitName} +${marker} |${treeVariable}=${marker}`;

/** Returns true if the text of `/proc/<pid>/limits` contains the marker of the tree. */
export function hasLimit(limits: string, marker: string): boolean {
  return limitLine.exec(limits)?.[2] === marker;
}

/**
 * Finds the program that starts another one with limits, and tests it; null if no limits can be set
 * here.
 */
export async function findLimiter(platform = process.platform): Promise<string | null> {
  if (platform !== 'linux') return null;
  const limits = await readFile('/proc/self/limits', 'latin1').catch(() => '');
  // A host inside the tree of another one cannot raise its limit.
  if (limitLine.exec(limits)?.[2] !== 'unlimited') return null;
  const limiter = await findProgram('prlimit');
  if (limiter === null) return null;
  const trial = newMarker();
  const read = { program: '/bin/cat', args: ['/proc/self/limits'] };
  return hasLimit(await output(limitedCommand(limiter, trial, read)), trial) ? limiter : null;
}

const trialLimitMs = 5_000;

/** Returns the output of the command; empty if it fails. */
function output({ program, args }: { program: string; args: string[] }): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: trialLimitMs }, (_error, stdout) => resolve(stdout));
  });
}

/** Returns the same command, started with the marker as a limit. */
export function limitedCommand(
  limiter: string,
  marker: string,
  { program, args }: { program: string; args: readonly string[] },
): { program: string; args: string[] } {
  return { program: limiter, args: [`--locks=${marker}:${marker}`, '--', program, ...args] };
}
