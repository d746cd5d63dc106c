import { describe, expect, it } from 'vitest';
import { migrate, migrations } from '../platform/database/migrate.ts';
import type { TestDatabase } from './database-servers/index.ts';
import { allRows, fillTables, withoutNewColumns } from './released-schemas.ts';
import { useDatabase } from './use-database.ts';

/** Every released schema, by the index of its last migration. */
const everySchema = migrations.map(({ name }, index) => ({ name, index }));
/** The first schema, which needs every migration. */
export const firstSchema = everySchema.slice(0, 1);

/** Tests that released schemas with data can be upgraded. */
export function describeUpgrades(type: TestDatabase, schemas = everySchema): void {
  describe(`an upgrade on ${type.type}`, () => {
    const used = useDatabase(type);

    it.each(schemas)('from $name keeps every row', async ({ index }) => {
      await migrate(used.current, { available: migrations.slice(0, index + 1) });
      await fillTables(used.current);
      const before = await allRows(used.current);
      await used.reopen();
      await migrate(used.current);
      expect(withoutNewColumns(before, await allRows(used.current))).toEqual(before);
      // A finished migration is not repeated.
      await migrate(used.current, { beforeUpgrade: () => Promise.reject(new Error('again')) });
    });
  });
}
