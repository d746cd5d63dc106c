import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { h2, createH2TestFolder } from './testing/h2-fixture.ts';

it('a copy of a database in use is one file with all committed data', async () => {
  await using testFolder = await createH2TestFolder();
  const database = await h2.open({ type: 'H2', filePath: testFolder.filePath });
  await database.sequelize.query('CREATE TABLE pairs (id SERIAL PRIMARY KEY, n INTEGER, t TEXT)');
  const addPair = (n: number): Promise<unknown> =>
    database.sequelize.query(
      `INSERT INTO pairs (n, t) VALUES (${n}, REPEAT('x', 20000)), (${n}, REPEAT('y', 20000))`,
    );
  for (let n = 0; n < 50; n += 1) await addPair(n);
  let copied = false;
  const writing = (async () => {
    for (let n = 50; !copied; n += 1) await addPair(n);
  })();
  const folder = join(testFolder.folder, `it's a "copy"`);
  await h2.open({ type: 'H2', filePath: join(folder, 'other') }).then((other) => other.close());
  const copy = join(folder, 'copy.mv.db');
  await database.copyTo?.(copy);
  // Also overwrites an older copy.
  await database.copyTo?.(copy);
  copied = true;
  await writing;
  await database.close();

  expect((await readdir(folder)).sort()).toEqual(['copy.mv.db', 'other.mv.db']);
  expect((await stat(copy)).size).toBeGreaterThan(100_000);
  const opened = await h2.open({ type: 'H2', filePath: join(folder, 'copy') });
  const [counts] = await opened.select<{ pairs: string; torn: string }>(
    `SELECT count(*) AS pairs, sum(CASE WHEN c = 2 THEN 0 ELSE 1 END) AS torn
     FROM (SELECT n, count(*) AS c FROM pairs GROUP BY n)`,
  );
  expect(Number(counts?.torn)).toBe(0);
  expect(Number(counts?.pairs)).toBeGreaterThanOrEqual(50);
  await opened.close();
});

it('a copy that cannot be written fails and leaves nothing behind', async () => {
  await using testFolder = await createH2TestFolder();
  const database = await h2.open({ type: 'H2', filePath: testFolder.filePath });
  await expect(database.copyTo?.(join(process.execPath, 'copy.mv.db'))).rejects.toThrow();
  expect(await database.select('SELECT 1 AS n')).toEqual([{ n: 1 }]);
  await database.close();
  expect(await readdir(testFolder.folder)).toEqual(['host.mv.db']);
});
