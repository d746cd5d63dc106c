import { type Boxing, noBoxing } from './box.ts';
import { type Found, held } from './isolation-report.ts';
import type { Refusal } from './refusal.ts';

/** How long a trial may take. */
export const trialLimitMs = 5_000;

export interface FoundIsolation {
  boxing: Boxing;
  found: Found;
}

export function nothingHolds(refusal: Refusal): FoundIsolation {
  return { boxing: noBoxing, found: { ...held.none, ...refusal } };
}
