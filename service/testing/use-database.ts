import { afterEach, beforeEach } from 'vitest';
import { type Database } from '../platform/database/database.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import type { MadeDatabase, TestDatabase } from './database-servers/index.ts';
import { testEngines } from './test-engines.ts';

/** A database of the running test. */
export interface UsedDatabase {
  /** The database that is currently open. */
  readonly current: Database;
  readonly made: MadeDatabase;
  reopen(): Promise<void>;
}

/** Provides an empty database of this type, opened for each test of the enclosing `describe`. */
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
