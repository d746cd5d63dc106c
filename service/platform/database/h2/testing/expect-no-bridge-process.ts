import { expect } from 'vitest';
import { bridgePids } from './h2-fixture.ts';

/**
 * Checks that no bridge process is left. Remaining ones are killed, so that the next test does not
 * fail because of them.
 */
export async function expectNoBridgeProcess(): Promise<void> {
  try {
    await expect.poll(() => bridgePids()).toEqual([]);
  } finally {
    for (const pid of await bridgePids()) process.kill(pid, 'SIGKILL');
  }
}
