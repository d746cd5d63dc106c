import { expect } from 'vitest';
import { bridgePids } from './h2-fixture.ts';

/** Whatever a test did, nothing of it is left running; if it is, the next test is not told so too. */
export async function expectNoBridgeProcess(): Promise<void> {
  try {
    await expect.poll(() => bridgePids()).toEqual([]);
  } finally {
    for (const pid of await bridgePids()) process.kill(pid, 'SIGKILL');
  }
}
