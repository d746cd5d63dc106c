import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { migrate, migrations } from '../platform/database/migrate.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { fillTables, fixtureOf, hashesFile, hashOf, storedHashes } from './released-schemas.ts';

/**
 * Stores a fixture for each migration that has none: a small SQLite file with rows in every table,
 * and the hash of the migration. Run it once for a new migration before its release: `node
 * service/testing/keep-schemas.ts`. Existing fixtures are never changed.
 */
const hashes = await storedHashes().catch((): Record<string, string> => ({}));
await mkdir(dirname(hashesFile), { recursive: true });
for (const [index, { name }] of migrations.entries()) {
  const isStored = await access(fixtureOf(name)).then(
    () => true,
    () => false,
  );
  if (isStored) continue;
  const folder = await mkdtemp(join(tmpdir(), 'keep-schema-'));
  const database = await openDatabase({ type: 'SQLITE', filePath: join(folder, 'host.db') });
  await migrate(database, { available: migrations.slice(0, index + 1) });
  await fillTables(database);
  await database.copyTo?.(fixtureOf(name));
  await database.close();
  await rm(folder, { recursive: true });
  hashes[name] = await hashOf(name);
}
await writeFile(hashesFile, `${JSON.stringify(hashes, null, 2)}\n`);
