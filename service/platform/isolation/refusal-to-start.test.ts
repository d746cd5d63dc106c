import { expect, it } from 'vitest';
import { held } from './isolation-report.ts';
import { notInstalled, refusalToStart } from './refusal.ts';

it.each([
  ['linux', held.bubblewrap, false],
  ['linux', held.none, true],
  ['openbsd', held.none, true],
  ['darwin', held.sandboxExec, false],
  ['darwin', held.none, true],
  ['win32', held.jobObject, false],
  // The setting requires only life-cycle isolation there.
  ['win32', held.none, false],
] as const)(
  'on %s with %j workers of other plugins are refused: %s',
  (platform, found, refused) => {
    expect(refusalToStart({ ...found, ...notInstalled }, platform) !== null).toBe(refused);
  },
);
