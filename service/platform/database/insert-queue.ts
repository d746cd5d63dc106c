import type { NewRow } from './database.ts';
import { databaseProblem } from './database-problem.ts';

/** Rows of one table with the same columns. */
export interface InsertBatch {
  table: string;
  columns: readonly string[];
  rows: readonly NewRow[];
}

interface PendingInsert {
  table: string;
  row: NewRow;
  series: object | undefined;
  resolve: (id: number) => void;
  reject: (error: unknown) => void;
}

const maxBatchRows = 200;

/** Collects inserts while a commit is running, and writes them together with the next one. */
export class InsertQueue {
  private readonly write: (batch: InsertBatch) => Promise<number[]>;
  private pending: PendingInsert[] = [];
  private writing: Promise<void> | null = null;

  /** `write` stores all rows or none, and returns their ids in the same order. */
  constructor(write: (batch: InsertBatch) => Promise<number[]>) {
    this.write = write;
  }

  /**
   * Inserts a row. Rows of one series are stored in order: none is stored after one that failed.
   */
  insert(table: string, row: NewRow, series?: object): Promise<number> {
    return new Promise((resolve, reject) => {
      this.pending.push({ table, row, series, resolve, reject });
      this.writing ??= this.writeAll();
    });
  }

  /** Resolves when the queue is empty. */
  async settled(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async writeAll(): Promise<void> {
    // Rows inserted in the same turn of the event loop share a commit.
    await new Promise(setImmediate);
    while (this.pending.length > 0) {
      const batch = this.takeBatch();
      await this.write(batchOf(batch)).then(
        (ids) => batch.forEach(({ resolve }, index) => resolve(ids[index] as number)),
        (error: unknown) => this.failed(batch, error),
      );
    }
    // In the same tick as the last check, so that later inserts start a new loop.
    this.writing = null;
  }

  private takeBatch(): PendingInsert[] {
    const first = this.pending[0] as PendingInsert;
    const shape = shapeOf(first);
    let count = 1;
    while (count < Math.min(this.pending.length, maxBatchRows)) {
      if (shapeOf(this.pending[count] as PendingInsert) !== shape) break;
      count += 1;
    }
    return this.pending.splice(0, count);
  }

  /**
   * An invalid row must not affect the others, so each row is retried alone. If the database is
   * unavailable, it is unknown whether they were stored, so they are not written again.
   */
  private async failed(batch: PendingInsert[], error: unknown): Promise<void> {
    const broken = new Map<object, unknown>();
    const refuse = ({ series, reject }: PendingInsert, reason: unknown): void => {
      if (series !== undefined) broken.set(series, reason);
      reject(reason);
    };
    const isAlone = batch.length === 1 || databaseProblem(error) !== null;
    for (const one of batch) {
      const ended = one.series !== undefined && broken.has(one.series);
      if (isAlone || ended) refuse(one, error);
      else
        await this.write(batchOf([one])).then(
          ([id]) => one.resolve(id as number),
          (reason: unknown) => refuse(one, reason),
        );
    }
    this.pending = this.pending.filter((one) => {
      const ended = one.series !== undefined && broken.has(one.series);
      if (ended) one.reject(broken.get(one.series as object));
      return !ended;
    });
  }
}

const shapeOf = ({ table, row }: PendingInsert): string => `${table} ${Object.keys(row).join(' ')}`;

function batchOf(pending: readonly PendingInsert[]): InsertBatch {
  const { table, row } = pending[0] as PendingInsert;
  return { table, columns: Object.keys(row), rows: pending.map((one) => one.row) };
}
