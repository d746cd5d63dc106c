import { randomInt } from 'node:crypto';

/**
 * Number of fault rounds. `FAULT_ROUNDS` unset selects the short form of ordinary test runs, `long`
 * the long form; a number sets it directly.
 */
const configured = process.env['FAULT_ROUNDS'] ?? '';

export const isLongForm = configured === 'long';

export function faultRounds({ short, long }: { short: number; long: number }): number {
  if (/^\d+$/.test(configured)) return Math.max(1, Number(configured));
  return isLongForm ? long : short;
}

/** Seed of the random moments: `FAULT_SEED`, or a new one. */
export function faultSeed(): number {
  const seed = process.env['FAULT_SEED'] ?? '';
  return /^\d+$/.test(seed) ? Number(seed) : randomInt(2 ** 31);
}

/** Prints a line directly, so that it appears whether or not the tests fail. */
export function report(line: string): void {
  process.stderr.write(`[faults] ${line}\n`);
}
