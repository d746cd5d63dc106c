import sqlite3 from 'sqlite3';

/** Committed means on the disk: WAL with a sync at every commit. */
const pragmas =
  'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=5000; PRAGMA foreign_keys=ON;';

type Done = (error: Error | null) => void;

class Connection extends sqlite3.Database {
  constructor(file: string, mode: number, done: Done) {
    super(file, mode, done);
    // What Sequelize does without a callback (a rollback on a database that was closed meanwhile)
    // ends here when it fails; unheard, it would end the host.
    this.on('error', () => undefined);
  }

  /** Closing a connection that could not be opened would never come back. */
  override close(done?: Done): void {
    if ((this as unknown as { open: boolean }).open) super.close(done);
    else done?.(null);
  }
}

/** Sequelize calls no hook for connections of SQLite, so each is set up as it opens. */
class PreparedConnection extends Connection {
  constructor(file: string, mode: number, done: Done) {
    super(file, mode, function (this: sqlite3.Database, error: Error | null) {
      if (error) done(error);
      else this.exec(pragmas, done);
    });
  }
}

/** What Sequelize takes for its driver. `reading` leaves the file as it is found. */
export const sqliteDrivers = {
  reading: { ...sqlite3, Database: Connection },
  using: { ...sqlite3, Database: PreparedConnection },
};
