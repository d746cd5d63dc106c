import type { Statement } from 'sqlite3';
import type { Value } from './database.ts';
import type { InsertBatch } from './insert-queue.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** Of one statement; each number of rows is a statement of its own. */
const mostRows = 32;

/** Writes batches by statements that are prepared once. */
export class SqliteInserts {
  private readonly file: SqliteFile;
  private readonly statements = new Map<string, Statement>();

  constructor(file: SqliteFile) {
    this.file = file;
  }

  write({ table, columns, rows }: InsertBatch): Promise<number[]> {
    return this.file.turns.alone(async () => {
      const values = rows.map((row) => columns.map((column) => storedOf(row[column])));
      const insert = (some: unknown[][]): Promise<number[]> => this.insert(table, columns, some);
      return rows.length <= mostRows ? insert(values) : this.inTransaction(values, insert);
    });
  }

  private async inTransaction(
    rows: unknown[][],
    insert: (some: unknown[][]) => Promise<number[]>,
  ): Promise<number[]> {
    const { writer } = this.file;
    await writer.execute('BEGIN IMMEDIATE');
    try {
      const ids: number[] = [];
      for (let from = 0; from < rows.length; from += mostRows)
        ids.push(...(await insert(rows.slice(from, from + mostRows))));
      await writer.execute('COMMIT');
      return ids;
    } catch (error) {
      await writer.execute('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** All or none. Nobody else writes meanwhile, so their ids follow each other. */
  private async insert(
    table: string,
    columns: readonly string[],
    rows: unknown[][],
  ): Promise<number[]> {
    const statement = await this.statementOf(table, columns, rows.length);
    const last = await run(statement, rows.flat());
    return rows.map((_, place) => last - rows.length + 1 + place);
  }

  private async statementOf(
    table: string,
    columns: readonly string[],
    count: number,
  ): Promise<Statement> {
    const names = columns.map((column) => `"${column}"`).join(', ');
    const row = `(${columns.map(() => '?').join(', ')})`;
    const rows = Array.from({ length: count }, () => row).join(', ');
    const sql = `INSERT INTO "${table}" (${names}) VALUES ${rows}`;
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
