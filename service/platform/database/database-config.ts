import type { H2Folding } from './h2/h2-file.ts';

export type DatabaseType = 'H2' | 'SQLITE' | 'MYSQL' | 'POSTGRESQL';

/** One configured database, independent of JDBC. */
export interface DatabaseConfig {
  type: DatabaseType;
  /** Embedded types: absolute path of the file. */
  filePath?: string;
  /**
   * H2: how the file folds unquoted names, by its URL; a file with another folding is opened as
   * well.
   */
  folding?: H2Folding;
  /** A name or an address; an IPv6 address without brackets. */
  host?: string;
  port?: number;
  database?: string;
  /** Servers and H2. */
  username?: string;
  password?: string;
  /**
   * Whether the connection is encrypted; without `sslCa` the certificate of the server is not
   * verified.
   */
  ssl?: boolean;
  /**
   * Absolute path of the PEM file that certificate and host name of the server are verified with.
   */
  sslCa?: string;
}
