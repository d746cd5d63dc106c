import type { Statement } from 'sqlite3';
import type { Value } from './database.ts';
import type { InsertBatch } from './insert-queue.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** Writes batches by statements that are prepared once. */
export class SqliteInserts {
  private readonly file: SqliteFile;
  private readonly statements = new Map<string, Statement>();

  constructor(file: SqliteFile) {
    this.file = file;
  }

  write(batch: InsertBatch): Promise<number[]> {
    return this.file.turns.alone(async () => {
      const statement = await this.statementOf(batch);
      const rows = batch.rows.map((row) => batch.columns.map((column) => storedOf(row[column])));
      const [only] = rows;
      if (rows.length === 1 && only) return [await run(statement, only)];
      return this.inTransaction(statement, rows);
    });
  }

  private async inTransaction(statement: Statement, rows: unknown[][]): Promise<number[]> {
    const { writer } = this.file;
    await writer.execute('BEGIN IMMEDIATE');
    try {
      const ids: number[] = [];
      for (const row of rows) ids.push(await run(statement, row));
      await writer.execute('COMMIT');
      return ids;
    } catch (error) {
      await writer.execute('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  private async statementOf({ table, columns }: InsertBatch): Promise<Statement> {
    const names = columns.map((column) => `"${column}"`).join(', ');
    const sql = `INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`;
    const known = this.statements.get(sql);
    if (known) return known;
    const made = await new Promise<Statement>((resolve, reject) => {
      const statement = this.file.writer.prepare(sql, (error: Error | null) =>
        error ? reject(error) : resolve(statement),
      );
    });
    this.statements.set(sql, made);
    return made;
  }

  close(): Promise<void> {
    return this.file.turns.alone(async () => {
      for (const statement of this.statements.values())
        await new Promise<void>((resolve) => statement.finalize(() => resolve()));
      this.statements.clear();
    });
  }
}

function run(statement: Statement, values: unknown[]): Promise<number> {
  return new Promise((resolve, reject) => {
    statement.run(values, function (error: Error | null) {
      if (error) reject(error);
      else resolve(this.lastID);
    });
  });
}

/** As Sequelize stores it. */
function storedOf(value: Value | undefined): unknown {
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', ' +00:00');
  return typeof value === 'boolean' ? Number(value) : value;
}
