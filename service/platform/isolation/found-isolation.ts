import { type Sandbox, passthroughSandbox } from './sandbox.ts';
import { type Found, backendReports } from './isolation-report.ts';
import type { Refusal } from './refusal.ts';

/** Limit of a trial, in ms. */
export const trialLimitMs = 5_000;

/** The sandbox of this machine, and how far it isolates. */
export interface FoundIsolation {
  sandbox: Sandbox;
  found: Found;
}

export function noIsolation(refusal: Refusal): FoundIsolation {
  return { sandbox: passthroughSandbox, found: { ...backendReports.none, ...refusal } };
}
