import { expect, it } from 'vitest';
import { backendReports } from './isolation-report.ts';
import { notInstalled, refusalToStart } from './refusal.ts';

it.each([
  ['linux', backendReports.bubblewrap, false],
  ['linux', backendReports.none, true],
  ['openbsd', backendReports.none, true],
  ['darwin', backendReports.sandboxExec, false],
  ['darwin', backendReports.none, true],
  ['win32', backendReports.jobObject, false],
  // The setting requires only life-cycle isolation there.
  ['win32', backendReports.none, false],
] as const)(
  'on %s with %j workers of other plugins are refused: %s',
  (platform, found, refused) => {
    expect(refusalToStart({ ...found, ...notInstalled }, platform) !== null).toBe(refused);
  },
);
