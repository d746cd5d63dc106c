import {
  DataTypes,
  ForeignKeyConstraintError,
  type Model,
  type ModelStatic,
  QueryTypes,
  type Sequelize,
  Transaction,
  UniqueConstraintError,
} from 'sequelize';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { h2, createH2TestFolder, type H2TestFolder } from './testing/h2-fixture.ts';

let testFolder: H2TestFolder;
let database: Database;
let sequelize: Sequelize;
beforeAll(async () => {
  testFolder = await createH2TestFolder();
  database = await h2.open({ type: 'H2', filePath: testFolder.filePath });
  ({ sequelize } = database);
});
afterAll(async () => {
  await database.close();
  await testFolder[Symbol.asyncDispose]();
});

type Rows = ModelStatic<Model>;
let tables = 0;

/** Creates a table for a test. */
async function tableOf(
  columns: Parameters<Sequelize['define']>[1],
  indexes: object[] = [],
): Promise<Rows> {
  tables += 1;
  const model = sequelize.define(`table_${tables}`, columns, {
    timestamps: false,
    freezeTableName: true,
    indexes,
  });
  await model.sync();
  return model;
}

const select = async (sql: string): Promise<Record<string, unknown> | undefined> =>
  (await sequelize.query<Record<string, unknown>>(sql, { type: QueryTypes.SELECT }))[0];

describe('values', () => {
  it('are returned unchanged', async () => {
    const rows = await tableOf({
      flag: DataTypes.BOOLEAN,
      small: DataTypes.SMALLINT,
      whole: DataTypes.INTEGER,
      big: DataTypes.BIGINT,
      exact: DataTypes.DECIMAL(20, 4),
      wide: DataTypes.DOUBLE,
      text: DataTypes.TEXT,
      at: DataTypes.DATE,
      day: DataTypes.DATEONLY,
      uuid: DataTypes.UUID,
      bytes: DataTypes.BLOB,
    });
    const values = {
      flag: false,
      small: -3,
      whole: 2_147_483_647,
      big: '9007199254740993',
      exact: '1234567890.1234',
      wide: 0.1,
      text: `a'b"c\\d\n\t漢字🙂\u0001\ud800`,
      at: new Date('1969-12-31T23:59:59.999Z'),
      day: '2026-02-28',
      uuid: '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b',
      bytes: Buffer.from([0, 255, 39, 92, 10]),
    };
    const { id } = (await rows.create(values)).get() as { id: number };
    expect(id).toBe(1);
    expect(await rows.findByPk(id, { raw: true })).toEqual({ id, ...values });
    const nothing = Object.fromEntries(Object.keys(values).map((name) => [name, null]));
    await rows.create(nothing);
    expect(await rows.findByPk(2, { raw: true })).toEqual({ id: 2, ...nothing });
  });

  it('keep the case of their alias, and texts that look like numbers', async () => {
    expect(
      await select(`SELECT 1 AS "Aa", 'x' AS "bB", CAST('NaN' AS DOUBLE PRECISION) AS n`),
    ).toEqual({
      Aa: 1,
      bB: 'x',
      n: Number.NaN,
    });
  });

  it('are passed to a statement as binds and as replacements', async () => {
    const at = new Date('2026-01-02T03:04:05.678Z');
    const sql = (name: (n: string) => string): string =>
      `SELECT CAST(${name('1')} AS VARCHAR) AS t, CAST(${name('2')} AS TIMESTAMP(3) WITH TIME ZONE) AS at, CAST(${name('3')} AS INTEGER) AS n`;
    const expected = [{ t: `it's $1 ?`, at, n: 7 }];
    const bind = [`it's $1 ?`, at, 7];
    const replacements = { p1: bind[0], p2: at, p3: 7 };
    const type = QueryTypes.SELECT;
    expect(
      await sequelize.query(
        sql((n) => `$${n}`),
        { bind, type },
      ),
    ).toEqual(expected);
    expect(
      await sequelize.query(
        sql((n) => `:p${n}`),
        { replacements, type },
      ),
    ).toEqual(expected);
  });

  it('of bytes are stored completely in a statement of many rows', async () => {
    const rows = await tableOf({ bytes: DataTypes.BLOB });
    const all = [[], [0], [0x5c, 0x78, 0x30], [39, 34, 255]].map((bytes) => Buffer.from(bytes));
    await rows.bulkCreate(all.map((bytes) => ({ bytes })));
    const found = (await rows.findAll({ order: ['id'], raw: true })) as unknown as {
      bytes: Buffer;
    }[];
    expect(found.map(({ bytes }) => bytes)).toEqual(all);
    expect(await rows.count({ where: { bytes: all[3] } })).toBe(1);
  });

  it('of five megabytes are stored completely', async () => {
    const rows = await tableOf({ text: DataTypes.TEXT });
    const text = `it's "ä😀"\n`.repeat(400_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(5_000_000);
    const { id } = (await rows.create({ text })).get() as { id: number };
    const found = (await rows.findByPk(id, { raw: true })) as unknown as { text: string } | null;
    expect(found?.text === text).toBe(true);
  });

  it('of a megabyte are stored completely in a statement of many rows', async () => {
    const rows = await tableOf({ text: DataTypes.TEXT, bytes: DataTypes.BLOB });
    const text = `it's "ä😀"\n`.repeat(64_000);
    const bytes = Buffer.alloc(1_000_000, 'x\u0000ÿ', 'latin1');
    await rows.bulkCreate([{ text, bytes }]);
    const row = (await rows.findByPk(1, { raw: true })) as unknown;
    const found = row as { text: string; bytes: Buffer };
    expect(found.text === text && found.bytes.equals(bytes)).toBe(true);
  });
});

describe('rows', () => {
  it('are created, found, joined, changed and deleted', async () => {
    const parents = await tableOf({ name: { type: DataTypes.STRING(20), unique: true } });
    const children = await tableOf({
      parent_id: { type: DataTypes.INTEGER, references: { model: parents, key: 'id' } },
      size: DataTypes.INTEGER,
    });
    parents.hasMany(children, { foreignKey: 'parent_id', as: 'children' });
    await parents.bulkCreate([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    const made = await children.bulkCreate(
      [3, 1, 2].map((size) => ({ parent_id: 1, size })),
      { returning: true },
    );
    expect(made.map((row) => row.get('id'))).toEqual([1, 2, 3]);
    const [first] = await parents.findAll({
      include: 'children',
      order: ['id', ['children', 'size', 'ASC']],
    });
    expect(
      (first?.get({ plain: true }) as { children: { size: number }[] }).children.map(
        ({ size }) => size,
      ),
    ).toEqual([1, 2, 3]);
    expect(await children.sum('size')).toBe(6);
    expect((await children.update({ size: 9 }, { where: { size: [1, 2] } }))[0]).toBe(2);
    const [, changed] = await children.update({ size: 8 }, { where: { size: 9 }, returning: true });
    expect(changed.map((row) => row.get('size'))).toEqual([8, 8]);
    expect(await children.increment('size', { where: { id: 1 } })).toBeDefined();
    expect(await children.destroy({ where: { size: 8 } })).toBe(2);
    expect(await children.findAndCountAll({ raw: true })).toEqual({
      count: 1,
      rows: [{ id: 1, parent_id: 1, size: 4 }],
    });
    const [found, isNew] = await parents.findCreateFind({ where: { name: 'd' } });
    expect([found.get('name'), isNew]).toEqual(['d', true]);
    await children.truncate();
    expect(await children.count()).toBe(0);
  });

  it('that already exist are skipped on request', async () => {
    const rows = await tableOf({ name: { type: DataTypes.STRING(20), primaryKey: true } });
    await rows.bulkCreate([{ name: 'a' }]);
    await rows.bulkCreate([{ name: 'a' }, { name: 'b' }], { ignoreDuplicates: true });
    expect(await rows.count()).toBe(2);
  });

  it('that break a rule are refused with the error of that rule, without their values', async () => {
    const parents = await tableOf({ name: { type: DataTypes.STRING(5), unique: true } });
    const children = await tableOf({
      parent_id: { type: DataTypes.INTEGER, references: { model: parents, key: 'id' } },
    });
    await parents.create({ name: 'dupe' });
    const twice = await parents.create({ name: 'dupe' }).catch((error: unknown) => error);
    expect(twice).toBeInstanceOf(UniqueConstraintError);
    expect(twice).toMatchObject({ errors: [{ path: 'name' }], parent: { code: '23505' } });
    expect((twice as UniqueConstraintError).parent.message).not.toContain('dupe');
    const orphan = await children.create({ parent_id: 99 }).catch((error: unknown) => error);
    expect(orphan).toBeInstanceOf(ForeignKeyConstraintError);
    const long = await parents.create({ name: 'too-long' }).catch((error: unknown) => error);
    expect(long).toMatchObject({ parent: { code: '22001' } });
    expect((long as Error).message).not.toContain('too-long');
    expect(await parents.count()).toBe(1);
  });

  it.each(['alone', 'in a transaction'])(
    'of one statement are stored all or none: %s',
    async (how) => {
      const rows = await tableOf({ name: { type: DataTypes.STRING(5), allowNull: false } });
      const table = sequelize.getQueryInterface().quoteIdentifier(rows.name);
      const sql = `INSERT INTO ${table} (name) VALUES ('one'), (NULL) RETURNING "id"`;
      if (how === 'alone') await expect(sequelize.query(sql)).rejects.toThrow();
      else
        await sequelize.transaction(async (transaction) => {
          await rows.create({ name: 'zero' }, { transaction });
          await expect(sequelize.query(sql, { transaction })).rejects.toThrow();
        });
      const found = await rows.findAll({ raw: true, attributes: ['name'] });
      expect(found).toEqual(how === 'alone' ? [] : [{ name: 'zero' }]);
    },
  );
});

describe('the schema', () => {
  it('is described', async () => {
    const rows = await tableOf(
      {
        name: { type: DataTypes.STRING(20), allowNull: false },
        long: DataTypes.TEXT,
        at: DataTypes.DATE,
      },
      [
        {
          fields: ['name', { name: 'at', order: 'DESC' }],
          unique: true,
          name: `index_of_${tables + 1}`,
        },
      ],
    );
    const schema = sequelize.getQueryInterface();
    expect(await schema.showAllTables()).toContain(rows.name);
    expect(await schema.tableExists(rows.name)).toBe(true);
    expect(await schema.tableExists('nowhere')).toBe(false);
    expect(await schema.describeTable(rows.name)).toMatchObject({
      id: { type: 'INTEGER', primaryKey: true, allowNull: false },
      name: { type: 'CHARACTER VARYING(20)', primaryKey: false, allowNull: false },
      long: { type: 'CHARACTER VARYING', allowNull: true },
      at: { type: 'TIMESTAMP WITH TIME ZONE' },
    });
    const indexes = (await schema.showIndex(rows.name)) as { name: string }[];
    expect(indexes.find(({ name }) => name === `index_of_${tables}`)).toMatchObject({
      unique: true,
      primary: false,
      fields: [
        { attribute: 'name', order: 'ASC' },
        { attribute: 'at', order: 'DESC' },
      ],
    });
  });

  it('is changed', async () => {
    const rows = await tableOf({ name: DataTypes.STRING(20) });
    await rows.create({ name: 'a' });
    const schema = sequelize.getQueryInterface();
    await schema.addColumn(rows.name, 'size', {
      type: DataTypes.INTEGER,
      allowNull: false,
      defaultValue: 3,
    });
    await schema.changeColumn(rows.name, 'name', { type: DataTypes.STRING(50), allowNull: false });
    await schema.renameColumn(rows.name, 'size', 'length');
    await schema.addIndex(rows.name, ['length']);
    await schema.removeIndex(rows.name, ['length']);
    expect(await select(`SELECT * FROM ${rows.name}`)).toEqual({ id: 1, name: 'a', length: 3 });
    await schema.removeColumn(rows.name, 'length');
    expect(Object.keys(await schema.describeTable(rows.name))).toEqual(['id', 'name']);
    await schema.dropTable(rows.name);
    expect(await schema.tableExists(rows.name)).toBe(false);
  });

  it('refuses columns and statements that H2 would store differently', async () => {
    const rows = await tableOf({ name: { type: DataTypes.STRING(20), unique: true } });
    await expect(tableOf({ any: DataTypes.JSON })).rejects.toThrow(/use TEXT/);
    await expect(tableOf({ any: DataTypes.ARRAY(DataTypes.STRING) })).rejects.toThrow(/use TEXT/);
    await expect(tableOf({ any: DataTypes.ENUM('a', 'b') })).rejects.toThrow();
    await expect(rows.findOrCreate({ where: { name: 'a' } })).rejects.toThrow(/findCreateFind/);
    await expect(rows.upsert({ name: 'a' })).rejects.toThrow(/use update/);
    expect(await rows.count()).toBe(0);
  });
});

describe('a transaction', () => {
  it('isolates its rows until it is committed, and can roll back to a savepoint', async () => {
    const rows = await tableOf({ name: DataTypes.STRING(20) });
    await sequelize.transaction(async (transaction) => {
      await rows.create({ name: 'a' }, { transaction });
      expect(await rows.count()).toBe(0);
      const inner = sequelize.transaction({ transaction }, async (nested) => {
        await rows.create({ name: 'b' }, { transaction: nested });
        throw new Error('not this one');
      });
      await expect(inner).rejects.toThrow('not this one');
      expect(await rows.count({ transaction })).toBe(1);
    });
    expect(await rows.findAll({ raw: true, attributes: ['name'] })).toEqual([{ name: 'a' }]);
  });

  it('has its own isolation level, and leaves none behind', async () => {
    const level =
      'SELECT isolation_level AS level FROM information_schema.sessions WHERE session_id = SESSION_ID()';
    const { SERIALIZABLE } = Transaction.ISOLATION_LEVELS;
    const type = QueryTypes.SELECT;
    for (let round = 0; round < 4; round += 1) {
      const inside = await sequelize.transaction({ isolationLevel: SERIALIZABLE }, (transaction) =>
        sequelize.query(level, { transaction, type }),
      );
      expect(inside).toEqual([{ level: 'SERIALIZABLE' }]);
    }
    const after = await sequelize.transaction((transaction) =>
      sequelize.query(level, { transaction, type }),
    );
    expect(after).toEqual([{ level: 'READ COMMITTED' }]);
  });

  it('that locks rows keeps others from changing them meanwhile', async () => {
    const rows = await tableOf({ size: DataTypes.INTEGER });
    await rows.create({ size: 0 });
    const add = (): Promise<void> =>
      sequelize.transaction(async (transaction) => {
        const row = await rows.findByPk(1, { transaction, lock: transaction.LOCK.UPDATE });
        await row?.update({ size: (row.get('size') as number) + 1 }, { transaction });
      });
    await Promise.all(Array.from({ length: 20 }, add));
    expect(await rows.findByPk(1, { raw: true })).toEqual({ id: 1, size: 20 });
  });
});
