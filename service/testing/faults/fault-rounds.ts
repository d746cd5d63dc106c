import { randomInt } from 'node:crypto';

/**
 * `FAULT_ROUNDS` says how often a fault is tried: nothing for the short form that every test run has,
 * `long` for the long one, or a number.
 */
const configured = process.env['FAULT_ROUNDS'] ?? '';

export const isLongForm = configured === 'long';

export function faultRounds({ short, long }: { short: number; long: number }): number {
  if (/^\d+$/.test(configured)) return Math.max(1, Number(configured));
  return isLongForm ? long : short;
}

/** What the moments of a run follow from: `FAULT_SEED`, or a new one. */
export function faultSeed(): number {
  const seed = process.env['FAULT_SEED'] ?? '';
  return /^\d+$/.test(seed) ? Number(seed) : randomInt(2 ** 31);
}

/** One line past the reporter, so that it is there whether the tests fail or not. */
export function report(line: string): void {
  process.stderr.write(`[faults] ${line}\n`);
}
