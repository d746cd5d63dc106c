import sqlite3 from 'sqlite3';

/** Minimal durable steps: one row and one commit per step. */
export async function bareSteps(file: string) {
  const database = new sqlite3.Database(file);
  const run = (sql: string, values: unknown[] = []): Promise<void> =>
    new Promise((resolve, reject) => {
      database.run(sql, values, (error: Error | null) => (error ? reject(error) : resolve()));
    });
  await run('PRAGMA journal_mode=WAL');
  await run('PRAGMA synchronous=FULL');
  await run('CREATE TABLE steps (number INTEGER, at TEXT, data TEXT)');
  const step = (): Promise<{ value: boolean }> => Promise.resolve({ value: false });
  return {
    async chain(steps: number): Promise<void> {
      for (let number = 0; number < steps; number += 1) {
        const row = [number, new Date().toISOString(), JSON.stringify(await step())];
        await run('INSERT INTO steps VALUES (?, ?, ?)', row);
      }
    },
    close: (): Promise<void> =>
      new Promise((resolve, reject) => {
        database.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}
