import { afterEach, beforeEach } from 'vitest';
import { type Database } from '../platform/database/database.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import type { MadeDatabase, TestDatabase } from './database-servers/index.ts';
import { testEngines } from './test-engines.ts';

export interface UsedDatabase {
  /** The one that is open now. */
  readonly current: Database;
  readonly made: MadeDatabase;
  reopen(): Promise<void>;
}

/** An empty database of that type, opened for each test of the `describe` that this stands in. */
export function useDatabase({ make }: TestDatabase): UsedDatabase {
  let made: MadeDatabase;
  let database: Database;
  beforeEach(async () => {
    made = await make();
    database = await openDatabase(made.config, testEngines);
  });
  afterEach(async () => {
    await database.close();
    await made.cleanUp();
  });
  return {
    get current() {
      return database;
    },
    get made() {
      return made;
    },
    async reopen() {
      await database.close();
      database = await openDatabase(made.config, testEngines);
    },
  };
}
