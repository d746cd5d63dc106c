export type DatabaseType = 'H2' | 'SQLITE' | 'MYSQL' | 'POSTGRESQL';

/** One configured database, free of JDBC words. */
export interface DatabaseConfig {
  type: DatabaseType;
  /** Embedded types: the file, absolute. */
  filePath?: string;
  host?: string;
  port?: number;
  database?: string;
  username?: string;
  password?: string;
  ssl?: boolean;
}
