import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findProgram } from './find-program.ts';

/** The environment variable that names the tree a process belongs to, wherever it moved itself. */
export const treeVariable = 'HOST_PROCESS_TREE';

/** All markers have as many digits, so that none is the beginning of another. */
const smallest = 10 ** 14;
const randomRange = 2 ** 47;

export const newMarker = (): string => String(smallest + randomInt(randomRange));

/**
 * How Linux says it in /proc. The kernel keeps this limit for every process and hands it on to what
 * the process starts, but has not applied it for twenty years: so its value can say to which tree a
 * process belongs, also when it has left its session and cleared its environment.
 */
const limitName = 'Max file locks';
const limitLine = new RegExp(`^${limitName} +(\\d+|unlimited) +(\\d+|unlimited)`, 'm');

/** For `grep -E` in files of /proc: every process of the tree has it. */
export const markerPattern = (marker: string): string =>
  `^${limitName} +${marker} |${treeVariable}=${marker}`;

/** Whether the text of `/proc/<pid>/limits` says that the process belongs to the tree. */
export function hasLimit(limits: string, marker: string): boolean {
  return limitLine.exec(limits)?.[2] === marker;
}

/**
 * The program that starts another one with limits, after it was seen to do it; null where none can be
 * set here.
 */
export async function findLimiter(platform = process.platform): Promise<string | null> {
  if (platform !== 'linux') return null;
  const limits = await readFile('/proc/self/limits', 'latin1').catch(() => '');
  // A host within the tree of another one cannot raise what that one set.
  if (limitLine.exec(limits)?.[2] !== 'unlimited') return null;
  const limiter = await findProgram('prlimit');
  if (limiter === null) return null;
  const trial = newMarker();
  const read = { program: '/bin/cat', args: ['/proc/self/limits'] };
  return hasLimit(await output(limitedCommand(limiter, trial, read)), trial) ? limiter : null;
}

const trialLimitMs = 5_000;

/** What the command prints; nothing when it fails. */
function output({ program, args }: { program: string; args: string[] }): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: trialLimitMs }, (_error, stdout) => resolve(stdout));
  });
}

/** The same command, started with the marker for a limit. */
export function limitedCommand(
  limiter: string,
  marker: string,
  { program, args }: { program: string; args: readonly string[] },
): { program: string; args: string[] } {
  return { program: limiter, args: [`--locks=${marker}:${marker}`, '--', program, ...args] };
}
