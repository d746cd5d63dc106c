import { describe, expect, it } from 'vitest';
import { migrate, migrations } from '../platform/database/migrate.ts';
import type { TestDatabase } from './database-servers/index.ts';
import { allRows, fillTables, withoutNewColumns } from './released-schemas.ts';
import { useDatabase } from './use-database.ts';

/** Every schema that was ever released is upgraded, with what stands in it. */
export function describeUpgrades(type: TestDatabase): void {
  describe(`an upgrade on ${type.type}`, () => {
    const used = useDatabase(type);

    it.each(migrations.map(({ name }, index) => ({ name, index })))(
      'from $name keeps every row',
      async ({ index }) => {
        await migrate(used.current, { available: migrations.slice(0, index + 1) });
        await fillTables(used.current);
        const before = await allRows(used.current);
        await used.reopen();
        await migrate(used.current);
        expect(withoutNewColumns(before, await allRows(used.current))).toEqual(before);
        // One that ended leaves nothing to do.
        await migrate(used.current, { beforeUpgrade: () => Promise.reject(new Error('again')) });
      },
    );
  });
}
