import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkSqlite } from '../../service/testing/faults/database-checks.ts';
import { faultRounds, faultSeed } from '../../service/testing/faults/fault-rounds.ts';
import { runKillRounds } from '../../service/testing/faults/kill-rounds.ts';

it('a host that is killed at any moment loses nothing that it acknowledged, and leaves nothing by halves', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fault-database-'));
  const filePath = join(folder, 'host.db');
  try {
    const { acknowledged } = await runKillRounds({
      name: 'SQLite',
      rounds: faultRounds({ short: 6, long: 200 }),
      seed: faultSeed(),
      config: { type: 'SQLITE', filePath },
      checkDatabase: () => checkSqlite(filePath),
    });
    expect(acknowledged).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 3_600_000);
