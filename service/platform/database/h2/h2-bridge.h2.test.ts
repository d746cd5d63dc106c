import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { createProcesses, type Processes } from '../../processes.ts';
import { h2FileOf } from './h2-file.ts';
import { H2Engine } from './h2-engine.ts';
import {
  bareBridge,
  bridgePids,
  h2,
  createH2TestFolder,
  type H2TestFolder,
} from './testing/h2-fixture.ts';
import { expectNoBridgeProcess } from './testing/expect-no-bridge-process.ts';

let testFolder: H2TestFolder;
beforeEach(async () => {
  testFolder = await createH2TestFolder();
});
afterEach(async () => {
  await testFolder[Symbol.asyncDispose]();
  await expectNoBridgeProcess();
});

const open = (): Promise<Database> => h2.open({ type: 'H2', filePath: testFolder.filePath });
/** Without the condition, H2 answers at once. */
const endless = 'SELECT count(*) FROM system_range(1, 1000000000000) WHERE MOD("X", 2) = 2';

async function killBridge(): Promise<void> {
  const pids = await bridgePids();
  expect(pids).toHaveLength(1);
  process.kill(pids[0] ?? 0, 'SIGKILL');
}

describe('a bridge that is killed', () => {
  it('loses no committed data', async () => {
    const database = await open();
    await database.sequelize.query('CREATE TABLE kept (id SERIAL PRIMARY KEY, n INTEGER)');
    for (let round = 0; round < 10; round += 1) {
      if (round % 2 === 0) await database.insert('kept', { n: round });
      else
        await database.sequelize.transaction((transaction) =>
          database.sequelize.query(`INSERT INTO kept (n) VALUES (${round})`, { transaction }),
        );
      await killBridge();
      await expect
        .poll(() =>
          database.select<{ n: number }>('SELECT n FROM kept ORDER BY n').catch(() => null),
        )
        .toEqual(Array.from({ length: round + 1 }, (_, n) => ({ n })));
    }
    await database.close();
  });

  it('ends running statements with the same error, and is replaced with a new one', async () => {
    const database = await open();
    await database.sequelize.query('CREATE TABLE kept (n INTEGER)');
    const bridgeEnded = { original: { code: 'H2_BRIDGE_GONE' } };
    const slow = expect(database.select(endless)).rejects.toMatchObject(bridgeEnded);
    const inTransaction = database.sequelize.transaction(async (transaction) => {
      await database.sequelize.query('INSERT INTO kept VALUES (1)', { transaction });
      await database.sequelize.query(endless, { transaction });
    });
    const rolledBack = expect(inTransaction).rejects.toMatchObject(bridgeEnded);
    await database.select('SELECT 1');
    await killBridge();
    await slow;
    await rolledBack;
    expect(await database.select('SELECT n FROM kept')).toEqual([]);
    await database.sequelize.query('INSERT INTO kept VALUES (2)');
    expect(await database.select('SELECT n FROM kept')).toEqual([{ n: 2 }]);
    await database.close();
  });
});

describe('a host that is killed', () => {
  it('ends its bridge and open transactions, and the next one can open the file', async () => {
    const script = `
      import { h2 } from ${JSON.stringify(join(import.meta.dirname, 'testing', 'h2-fixture.ts'))};
      const database = await h2.open({ type: 'H2', filePath: process.argv[1] });
      await database.sequelize.query('CREATE TABLE kept (n INTEGER)');
      const transaction = await database.sequelize.transaction();
      await database.sequelize.query('INSERT INTO kept VALUES (6)', { transaction });
      // Takes what is not committed to the disk as well.
      await database.sequelize.query('INSERT INTO kept VALUES (5)');
      console.log('committed');
      setInterval(() => undefined, 1_000);`;
    const host = spawn(
      process.execPath,
      ['--input-type=module', '-e', script, testFolder.filePath],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    for await (const line of createInterface(host.stdout)) if (line === 'committed') break;
    const pids = await bridgePids(host.pid);
    expect(pids).toHaveLength(1);
    host.kill('SIGKILL');
    expect(await h2.try({ type: 'H2', filePath: testFolder.filePath })).toMatchObject({
      version: '2.1.214',
    });
    const database = await open();
    expect(await database.select('SELECT n FROM kept')).toEqual([{ n: 5 }]);
    await expect.poll(() => isRunning(pids[0] ?? 0)).toBe(false);
    await database.close();
  });
});

describe('a query', () => {
  let processes: Processes;
  let engine: H2Engine;
  beforeEach(() => {
    processes = createProcesses();
    const login = { file: h2FileOf(testFolder.filePath), user: 'sa', password: '' };
    engine = new H2Engine(() => bareBridge(processes), login, 500);
  });
  afterEach(async () => {
    await engine.close();
    await processes.close();
  });

  it('that takes too long is ended with its session, and the others go on', async () => {
    const { pid } = await engine.bridge();
    const slow = await engine.session();
    const other = await engine.session();
    await expect(slow.query({ sql: endless }, 500)).rejects.toMatchObject({ code: '57014' });
    expect(slow.usable).toBe(false);
    expect((await other.query({ sql: 'SELECT 1 AS n' }, 30_000)).rows).toEqual([{ n: 1 }]);
    const { rows } = await other.query(
      { sql: 'SELECT count(*) AS n FROM information_schema.sessions' },
      30_000,
    );
    expect(Number(rows[0]?.['n'])).toBeLessThanOrEqual(3);
    expect((await engine.bridge()).pid).toBe(pid);
  });

  it('that exceeds the size of a message is reported, in both directions', async () => {
    const session = await engine.session();
    const megabytes = (count: number): string => 'x'.repeat(count * 1024 * 1024);
    const echo = { sql: 'SELECT CAST(CHAR_LENGTH($1) AS INTEGER) AS n', values: [megabytes(33)] };
    await expect(session.query(echo, 30_000)).rejects.toMatchObject({ code: 'too_large' });
    const large = { sql: `SELECT REPEAT('x', 1048576) AS t FROM system_range(1, 33)` };
    await expect(session.query(large, 30_000)).rejects.toMatchObject({
      code: '54000',
      message: expect.stringMatching(/32 MiB/) as unknown,
    });
    const most = { ...echo, values: [megabytes(31)] };
    expect((await session.query(most, 30_000)).rows).toEqual([{ n: 31 * 1024 * 1024 }]);
    const fits = { sql: large.sql.replace('33', '31') };
    expect((await session.query(fits, 30_000)).count).toBe(31);
  });

  it('with a value that no column accepts is refused before it is sent', async () => {
    const session = await engine.session();
    const strange = { sql: 'SELECT $1', values: [Symbol('x')] };
    await expect(session.query(strange, 30_000)).rejects.toThrow(TypeError);
    expect((await session.query({ sql: 'SELECT 1 AS n' }, 30_000)).count).toBe(1);
  });

  it('of many concurrent sessions is answered to its caller', async () => {
    const sessions = await Promise.all([1, 2, 3, 4].map(() => engine.session()));
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const query = { sql: 'SELECT CAST($1 AS INTEGER) AS n', values: [n] };
        return (await sessions[n % 4]?.query(query, 30_000))?.rows;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 200 }, (_, n) => [{ n }]));
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
