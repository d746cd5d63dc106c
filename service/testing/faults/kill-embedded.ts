import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faultRounds, faultSeed } from './fault-rounds.ts';
import { runKillRounds } from './kill-rounds.ts';

/** Adds a test that kills hosts whose embedded database is a file in its own folder. */
export function itSurvivesKills(
  database: { name: string; type: 'SQLITE' | 'H2'; fileName: string },
  check?: (file: string) => Promise<void>,
): void {
  it('a host that is killed at any moment keeps all acknowledged data, and leaves nothing partial', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fault-database-'));
    const filePath = join(folder, database.fileName);
    try {
      const { acknowledged } = await runKillRounds({
        name: database.name,
        rounds: faultRounds({ short: 6, long: 200 }),
        seed: faultSeed(),
        config: { type: database.type, filePath },
        checkDatabase: () => check?.(filePath) ?? Promise.resolve(),
      });
      expect(acknowledged).toBeGreaterThan(0);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }, 3_600_000);
}
