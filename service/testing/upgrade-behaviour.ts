import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import type { Engines } from '../platform/database/engines.ts';
import { migrate, migrations } from '../platform/database/migrate.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import type { MadeDatabase, TestDatabase } from './database-servers/index.ts';
import { allRows, fillTables, withoutNewColumns } from './released-schemas.ts';

/** Every schema that was ever released is upgraded, with what stands in it. */
export function describeUpgrades({ type, make }: TestDatabase, engines?: Engines): void {
  describe(`an upgrade on ${type}`, () => {
    let made: MadeDatabase;
    let database: Database;
    beforeEach(async () => {
      made = await make();
      database = await openDatabase(made.config, engines);
    });
    afterEach(async () => {
      await database.close();
      await made.cleanUp();
    });

    it.each(migrations.map(({ name }, index) => ({ name, index })))(
      'from $name keeps every row',
      async ({ index }) => {
        await migrate(database, { known: migrations.slice(0, index + 1) });
        await fillTables(database);
        const before = await allRows(database);
        await database.close();
        database = await openDatabase(made.config, engines);
        await migrate(database);
        expect(withoutNewColumns(before, await allRows(database))).toEqual(before);
        // One that ended leaves nothing to do.
        await migrate(database, { beforeUpgrade: () => Promise.reject(new Error('again')) });
      },
    );
  });
}
