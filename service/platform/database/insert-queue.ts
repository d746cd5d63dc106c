import type { NewRow } from './database.ts';
import { databaseProblem } from './database-problem.ts';

/** Rows of one table with the same columns. */
export interface InsertBatch {
  table: string;
  columns: readonly string[];
  rows: readonly NewRow[];
}

interface Waiting {
  table: string;
  row: NewRow;
  resolve: (id: number) => void;
  reject: (error: unknown) => void;
}

const mostAtOnce = 200;

/** What comes while a commit is under way is written together by the next one. */
export class InsertQueue {
  private readonly write: (batch: InsertBatch) => Promise<number[]>;
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;

  /** `write` stores all rows or none, and returns their ids in the same order. */
  constructor(write: (batch: InsertBatch) => Promise<number[]>) {
    this.write = write;
  }

  insert(table: string, row: NewRow): Promise<number> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ table, row, resolve, reject });
      this.writing ??= this.writeAll();
    });
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async writeAll(): Promise<void> {
    // What is asked for in the same tick belongs together.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.takeBatch();
      await this.write(batchOf(batch)).then(
        (ids) => batch.forEach(({ resolve }, index) => resolve(ids[index] as number)),
        (error: unknown) => this.failed(batch, error),
      );
    }
    // In the same step as the last look: what comes after it starts anew.
    this.writing = null;
  }

  private takeBatch(): Waiting[] {
    const first = this.waiting[0] as Waiting;
    const shape = shapeOf(first);
    let count = 1;
    while (count < Math.min(this.waiting.length, mostAtOnce)) {
      if (shapeOf(this.waiting[count] as Waiting) !== shape) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  /**
   * One bad row must not take the others with it. When the database itself is away, nobody knows
   * whether they were stored: they are not written a second time.
   */
  private async failed(batch: Waiting[], error: unknown): Promise<void> {
    if (batch.length === 1 || databaseProblem(error) !== null) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const one of batch) {
      await this.write(batchOf([one])).then(([id]) => one.resolve(id as number), one.reject);
    }
  }
}

const shapeOf = ({ table, row }: Waiting): string => `${table} ${Object.keys(row).join(' ')}`;

function batchOf(waiting: readonly Waiting[]): InsertBatch {
  const { table, row } = waiting[0] as Waiting;
  return { table, columns: Object.keys(row), rows: waiting.map((one) => one.row) };
}
