import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog, type Level, type Log } from '../log.ts';
import type { Database } from './database.ts';
import { logQueries } from './log-queries.ts';
import { openDatabase } from './open-database.ts';

let folder: string;
let log: Log;
let database: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-queries-'));
  log = createLog({ level: 'INFO', directory: join(folder, 'logs'), stderr: false });
  const opened = await openDatabase({ type: 'SQLITE', filePath: join(folder, 'host.db') });
  database = logQueries(opened, log);
  await database.sequelize.query('CREATE TABLE kept (id INTEGER PRIMARY KEY, name TEXT)');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.close();
  await log.close();
  await rm(folder, { recursive: true, force: true });
});

/** Makes every query take that long by the clock that measures it. */
function eachTakes(ms: number): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += ms));
}

/** Sets a level and returns the lines that `work` logs. */
async function written(level: Level, work: () => Promise<unknown>): Promise<string[]> {
  log.areaLevels = { database: level };
  await work();
  log.areaLevels = {};
  vi.restoreAllMocks();
  const lines = await log.lastLines(10_000_000);
  return lines.map((line) => line.slice(line.indexOf('Z') + 2));
}

const both = async (): Promise<void> => {
  await database.insert('kept', { name: 'someone' });
  await database.select("SELECT name FROM kept WHERE name = 'someone'");
};

describe('queries in the log', () => {
  it.each(['INFO', 'DEBUG'] as const)('are not logged at %s if they take 50 ms', async (level) => {
    eachTakes(50);
    expect(await written(level, both)).toEqual([]);
  });

  it('are not logged at INFO, even if they are slow', async () => {
    eachTakes(5_000);
    expect(await written('INFO', both)).toEqual([]);
  });

  it('are logged at DEBUG from 50 ms, without values', async () => {
    eachTakes(51);
    expect(await written('DEBUG', both)).toEqual([
      'DEBUG [database] 51 ms: INSERT INTO kept',
      "DEBUG [database] 51 ms: SELECT name FROM kept WHERE name = '…'",
    ]);
  });

  it('are all of them at TRACE', async () => {
    eachTakes(1);
    expect(await written('TRACE', both)).toEqual([
      'TRACE [database] 1 ms: INSERT INTO kept',
      "TRACE [database] 1 ms: SELECT name FROM kept WHERE name = '…'",
    ]);
  });

  it('include those of Sequelize', async () => {
    const slow =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000) SELECT max(i) FROM n';
    const lines = await written('DEBUG', () => database.sequelize.query(slow));
    expect(lines).toEqual([expect.stringMatching(/^DEBUG \[database\] \d+ ms: WITH RECURSIVE n/)]);
    const all = await written('TRACE', () => database.sequelize.query('SELECT 1 AS one'));
    expect(all.at(-1)).toMatch(/^(?:TRACE|DEBUG) \[database\] \d+ ms: SELECT 1 AS one$/);
  });
});
