import { describe, expect, it } from 'vitest';
import { h2StepOf } from './h2-rewrites.ts';
import { sqlPieces } from './sql-pieces.ts';

const sqlOf = (sql: string): unknown => {
  const step = h2StepOf(sql);
  return 'sql' in step ? step.sql : step.op;
};

describe('the pieces of a statement', () => {
  it.each([
    ['a', ['a']],
    [`a 'b' c`, ['a ', `'b'`, ' c']],
    [`'it''s'`, [`'it'`, `'s'`]],
    [`"a'b" 'c"d'`, [`"a'b"`, ' ', `'c"d'`]],
    [`a -- 'b\n'c'`, ['a ', `-- 'b\n`, `'c'`]],
    [`a /* 'b */ 'c'`, ['a ', `/* 'b */`, ' ', `'c'`]],
    [`a $$'$$ 'b'`, ['a ', `$$'$$`, ' ', `'b'`]],
    [`a 'b`, ['a ', `'b`]],
    ['', []],
  ])('of %j are told apart', (sql, pieces) => {
    const found = [...sqlPieces(sql)];
    expect(found.map(({ start, end }) => sql.slice(start, end))).toEqual(pieces);
    for (const { start, quoted } of found) expect(quoted).toBe(/['"$/-]/.test(sql[start] ?? ''));
  });
});

describe('a statement for H2', () => {
  it.each([
    ['START TRANSACTION;', 'begin'],
    ['COMMIT;', 'commit'],
    ['ROLLBACK;', 'rollback'],
    ['ROLLBACK TO SAVEPOINT "x";', 'ROLLBACK TO SAVEPOINT "x";'],
    [
      'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;',
      'SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE;',
    ],
    [
      'INSERT INTO "t" ("a") VALUES ($1) RETURNING "id","a";',
      'SELECT "id","a" FROM FINAL TABLE (INSERT INTO "t" ("a") VALUES ($1))',
    ],
    [
      `UPDATE "t" SET "a"=' RETURNING x' WHERE b='RETURNING' RETURNING "RETURNING"`,
      `SELECT "RETURNING" FROM FINAL TABLE (UPDATE "t" SET "a"=' RETURNING x' WHERE b='RETURNING')`,
    ],
    ['DELETE FROM "t" RETURNING *', 'SELECT * FROM OLD TABLE (DELETE FROM "t")'],
    [`INSERT INTO "t" VALUES ('a RETURNING b')`, `INSERT INTO "t" VALUES ('a RETURNING b')`],
    [
      `ALTER TABLE "public"."t" ADD COLUMN "public" VARCHAR(9) DEFAULT '"public".x'`,
      `ALTER TABLE "t" ADD COLUMN "public" VARCHAR(9) DEFAULT '"public".x'`,
    ],
    ['SELECT "a""public".x FROM "not public"."t"', 'SELECT "a""public".x FROM "not public"."t"'],
    ['TRUNCATE "t"', 'DELETE FROM "t"'],
    ['TRUNCATE "s"."a b"', 'DELETE FROM "s"."a b"'],
    ['TRUNCATE "t" RESTART IDENTITY', 'TRUNCATE TABLE "t" RESTART IDENTITY'],
    ['TRUNCATE "t" CASCADE', 'TRUNCATE "t" CASCADE'],
    [
      String.raw`INSERT INTO "t" VALUES (1,E'\\x00ff',E'\\x')`,
      `INSERT INTO "t" VALUES (1,X'00ff',X'')`,
    ],
    [
      String.raw`INSERT INTO "t" VALUES ('E''\\x00''', 'a E', '\\x00', NAME'\\x00', E'\\xno')`,
      String.raw`INSERT INTO "t" VALUES ('E''\\x00''', 'a E', '\\x00', NAME'\\x00', E'\\xno')`,
    ],
  ])('of %j is %j', (sql, expected) => {
    expect(sqlOf(sql)).toBe(expected);
  });

  it('that changes rows inside a SELECT is atomic', () => {
    expect(h2StepOf('INSERT INTO "t" DEFAULT VALUES RETURNING "id"')).toMatchObject({
      atomic: true,
    });
    expect(h2StepOf('INSERT INTO "t" DEFAULT VALUES')).not.toHaveProperty('atomic');
  });

  it.each([
    'CREATE OR REPLACE FUNCTION pg_temp.testfunc(OUT response "t") RETURNS RECORD AS $f$ $f$',
    `INSERT INTO "t" ("a") VALUES ('x') ON CONFLICT ("a") DO UPDATE SET "a"=EXCLUDED."a"`,
    'CREATE TABLE IF NOT EXISTS "t" ("a" JSON)',
    'CREATE TABLE IF NOT EXISTS "t" ("a" VARCHAR(255)[])',
    'ALTER TABLE "t" ADD COLUMN "a" JSONB',
  ])('that H2 cannot do is refused: %s', (sql) => {
    expect(() => h2StepOf(sql)).toThrow(expect.objectContaining({ code: '0A000' }));
  });

  it.each([
    `INSERT INTO "t" VALUES ('ON CONFLICT (x)') ON CONFLICT DO NOTHING`,
    `CREATE TABLE "JSON" ("ARRAY" VARCHAR(9) DEFAULT 'ENUM []')`,
  ])('is not refused for what stands in quotes: %s', (sql) => {
    expect(sqlOf(sql)).toBe(sql);
  });

  it('of several megabytes is described without delay', () => {
    const text = `it''s $$ -- "RETURNING" `.repeat(200_000);
    const bytes = 'ab'.repeat(2_000_000);
    const started = performance.now();
    const sql = sqlOf(`INSERT INTO "t" VALUES ('${text}',E'\\\\x${bytes}') RETURNING "id"`);
    expect(
      sql === `SELECT "id" FROM FINAL TABLE (INSERT INTO "t" VALUES ('${text}',X'${bytes}'))`,
    ).toBe(true);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
