import { DataTypes, QueryTypes } from 'sequelize';
import { describe, expect, it } from 'vitest';
import { migrate, migrations } from '../platform/database/migrate.ts';
import { testDatabase } from '../platform/database/open-database.ts';
import { isoOf, truthOf } from '../platform/database/values.ts';
import type { TestDatabase } from './database-servers/index.ts';
import { testEngines } from './test-engines.ts';
import { useDatabase } from './use-database.ts';

const difficult = `'"\`\\ % _ $1 :name ? ; -- 🙂 漢字 \u0001 \n\t end`;

/** Tests that every database type must pass. */
export function describeDatabase(type: TestDatabase): void {
  describe(`a database of the type ${type.type}`, () => {
    const used = useDatabase(type);
    const count = async (table: string): Promise<number> => {
      const [row] = await used.current.select<{ n: string | number }>(
        `SELECT count(*) AS n FROM "${table}"`,
      );
      // PostgreSQL and H2 return large integers, such as counts, as text.
      return Number(row?.n ?? Number.NaN);
    };
    const addNotification = (title: string | null): Promise<number> =>
      used.current.insert('notifications', {
        user_id: 1,
        source: 'host',
        level: 'info',
        title,
        body: null,
        link: null,
        created_at: new Date(),
        read_at: null,
      });

    it('passes its test and reports its version', async () => {
      expect(await testDatabase(used.made.config, testEngines)).toMatchObject({
        success: true,
        serverVersion: expect.stringMatching(/^\d+\.\d+/) as unknown,
      });
      expect(used.current).toMatchObject({
        type: type.type,
        serverVersion: expect.stringMatching(/^\d/) as unknown,
      });
    });

    it('gets its schema once; a second time changes nothing', async () => {
      await migrate(used.current);
      await migrate(used.current);
      expect(await count('users')).toBe(1);
      expect(await count('SequelizeMeta')).toBe(migrations.length);
      await used.reopen();
      await migrate(used.current);
      expect(await count('users')).toBe(1);
    });

    it('of a newer release is refused and left as it is', async () => {
      await migrate(used.current);
      const { sequelize } = used.current;
      await sequelize.getQueryInterface().bulkInsert('SequelizeMeta', [{ name: '9999-future' }]);
      await expect(migrate(used.current)).rejects.toMatchObject({
        code: 'schema_newer',
        message: expect.stringMatching(/newer version/) as unknown,
      });
      expect(await count('SequelizeMeta')).toBe(migrations.length + 1);
    });

    it('with a table of another program in the way is refused and left as it is', async () => {
      const tables = used.current.sequelize.getQueryInterface();
      await tables.createTable('settings', { colour: { type: DataTypes.STRING(9) } });
      const refusal = {
        code: 'schema_foreign',
        message: expect.stringContaining('settings') as unknown,
      };
      await expect(migrate(used.current)).rejects.toMatchObject(refusal);
      expect(await tables.tableExists('users')).toBe(false);
      expect(await count('settings')).toBe(0);
      expect(await testDatabase(used.made.config, testEngines)).toMatchObject({
        success: false,
        message: expect.stringContaining('belongs to another program') as unknown,
      });
    });

    it('reports an upgrade before it starts, and does not report a new schema', async () => {
      const versions: string[] = [];
      const beforeUpgrade = (from: string): Promise<void> => {
        versions.push(from);
        return Promise.resolve();
      };
      await migrate(used.current, { beforeUpgrade });
      expect(versions).toEqual([]);
      const next = { name: '9000-next', up: () => Promise.resolve() };
      await migrate(used.current, { beforeUpgrade, available: [...migrations, next] });
      expect(versions).toEqual([migrations.at(-1)?.name]);
    });

    it('returns stored values through every kind of query', async () => {
      await migrate(used.current);
      const at = new Date('2026-03-29T01:30:00.123Z');
      const long = `${difficult}${'x'.repeat(2_000_000)}`;
      const id = await used.current.insert('notifications', {
        user_id: 1,
        source: 'host',
        level: 'info',
        title: difficult.slice(0, 200),
        body: null,
        link: null,
        created_at: at,
        read_at: null,
      });
      await used.current.sequelize.query(
        `UPDATE ${quoted('notifications')} SET body = :body WHERE id = :id`,
        { replacements: { body: difficult, id }, type: QueryTypes.UPDATE },
      );
      const settings = used.current.sequelize.define(
        'setting_row',
        { name: { type: DataTypes.STRING(100), primaryKey: true }, value: DataTypes.TEXT },
        { tableName: 'settings', timestamps: false },
      );
      await settings.create({ name: 'long', value: long });
      await used.reopen();
      const [row] = await used.current.select<Record<string, never>>(
        'SELECT title, body, created_at, read_at FROM "notifications" WHERE id = $1',
        [id],
      );
      expect({ ...row, created_at: isoOf(row?.['created_at'] ?? '') }).toEqual({
        title: difficult.slice(0, 200),
        body: difficult,
        created_at: at.toISOString(),
        read_at: null,
      });
      const [stored] = await used.current.select<{ value: string }>(
        'SELECT "value" FROM "settings" WHERE name = $1',
        ['long'],
      );
      expect(stored?.value === long).toBe(true);
    });

    it('stores true and false', async () => {
      await migrate(used.current);
      const tables = used.current.sequelize.getQueryInterface();
      await tables.bulkInsert('plugins', [plugin('yes', true), plugin('no', false)]);
      const rows = await used.current.select<{ id: string; enabled: boolean | number }>(
        'SELECT id, enabled FROM "plugins" ORDER BY id',
      );
      expect(rows.map(({ id, enabled }) => [id, truthOf(enabled)])).toEqual([
        ['no', false],
        ['yes', true],
      ]);
    });

    it('returns a separate id for each row of a bulk insert, in order', async () => {
      await migrate(used.current);
      const ids = await Promise.all(
        Array.from({ length: 300 }, (_, index) => addNotification(`number ${index}`)),
      );
      expect(new Set(ids).size).toBe(300);
      expect([...ids].sort((a, b) => a - b)).toEqual(ids);
      const [row] = await used.current.select<{ title: string }>(
        'SELECT title FROM "notifications" WHERE id = $1',
        [ids[123] ?? 0],
      );
      expect(row?.title).toBe('number 123');
    });

    it('refuses one bad row among many, and stores the others', async () => {
      await migrate(used.current);
      const results = await Promise.allSettled([
        addNotification('one'),
        addNotification(null),
        addNotification('three'),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await count('notifications')).toBe(2);
    });

    it('stores all of a transaction or nothing', async () => {
      await migrate(used.current);
      const tables = used.current.sequelize.getQueryInterface();
      const failing = used.current.sequelize.transaction(async (transaction) => {
        await tables.bulkInsert('plugins', [plugin('one')], { transaction });
        await tables.bulkInsert('plugins', [plugin('one')], { transaction });
      });
      await expect(failing).rejects.toThrow();
      expect(await count('plugins')).toBe(0);
      await used.current.sequelize.transaction((transaction) =>
        tables.bulkInsert('plugins', [plugin('one')], { transaction }),
      );
      expect(await count('plugins')).toBe(1);
    });

    it('treats names as case-sensitive', async () => {
      await migrate(used.current);
      const tables = used.current.sequelize.getQueryInterface();
      await tables.bulkInsert('plugins', [plugin('name'), plugin('Name')]);
      expect(await count('plugins')).toBe(2);
    });

    function quoted(name: string): string {
      return used.current.sequelize.getQueryInterface().quoteIdentifier(name);
    }
  });
}

function plugin(id: string, enabled = true): Record<string, string | boolean | Date> {
  return { id, enabled, source: 'THIRD_PARTY', installed_at: new Date() };
}
