import type { Statement } from 'sqlite3';
import type { Value } from './database.ts';
import type { InsertBatch } from './insert-queue.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** A statement retains its last values. One with more characters than this is finalized. */
const maxCachedCharacters = 64 * 1024;

/** Writes each batch with one statement, prepared once for each number of rows. */
export class SqliteInserts {
  private readonly file: SqliteFile;
  private readonly statements = new Map<string, Statement>();

  constructor(file: SqliteFile) {
    this.file = file;
  }

  /**
   * Inserts all rows or none. No other statement writes meanwhile, so their ids are consecutive.
   */
  write({ table, columns, rows }: InsertBatch): Promise<number[]> {
    return this.file.writeLock.runExclusive(async () => {
      const sql = insertOf(table, columns, rows.length);
      const statement = this.statements.get(sql) ?? (await this.prepare(sql));
      const values = rows.flatMap((row) => columns.map((column) => storedOf(row[column])));
      const isCached = charactersIn(values) <= maxCachedCharacters;
      if (isCached) this.statements.set(sql, statement);
      else this.statements.delete(sql);
      try {
        const last = await run(statement, values);
        return rows.map((_, index) => last - rows.length + 1 + index);
      } finally {
        if (!isCached) await finalize(statement);
      }
    });
  }

  private prepare(sql: string): Promise<Statement> {
    return new Promise((resolve, reject) => {
      const statement = this.file.writer.prepare(sql, (error: Error | null) =>
        error ? reject(error) : resolve(statement),
      );
    });
  }

  close(): Promise<void> {
    return this.file.writeLock.runExclusive(async () => {
      for (const statement of this.statements.values()) await finalize(statement);
      this.statements.clear();
    });
  }
}

function insertOf(table: string, columns: readonly string[], count: number): string {
  const names = columns.map((column) => `"${column}"`).join(', ');
  const row = `(${columns.map(() => '?').join(', ')})`;
  const rows = Array.from({ length: count }, () => row).join(', ');
  return `INSERT INTO "${table}" (${names}) VALUES ${rows}`;
}

const charactersIn = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (hasLength(value) ? value.length : 0), 0);

const hasLength = (value: unknown): value is string | Buffer =>
  typeof value === 'string' || Buffer.isBuffer(value);

const finalize = (statement: Statement): Promise<void> =>
  new Promise((resolve) => statement.finalize(() => resolve()));

function run(statement: Statement, values: unknown[]): Promise<number> {
  return new Promise((resolve, reject) => {
    statement.run(values, function (error: Error | null) {
      if (error) reject(error);
      else resolve(this.lastID);
    });
  });
}

/** Returns a time in Sequelize's format, so that times can be compared as text. */
export const storedTime = (time: Date): string =>
  time.toISOString().replace('T', ' ').replace('Z', ' +00:00');

/** Returns a value in Sequelize's format. */
function storedOf(value: Value | undefined): unknown {
  if (value instanceof Date) return storedTime(value);
  return typeof value === 'boolean' ? Number(value) : value;
}
