import type { H2Folding } from './h2/h2-file.ts';

export type DatabaseType = 'H2' | 'SQLITE' | 'MYSQL' | 'POSTGRESQL';

/** One configured database, independent of JDBC. */
export interface DatabaseConfig {
  type: DatabaseType;
  /** Embedded types: absolute path of the file. */
  filePath?: string;
  /**
   * H2: how the file folds unquoted names, according to its URL; a file with another folding can be
   * opened as well.
   */
  folding?: H2Folding;
  /** A name or an address; an IPv6 address without brackets. */
  host?: string;
  port?: number;
  database?: string;
  /** For servers and H2. */
  username?: string;
  password?: string;
  /**
   * True if the connection is encrypted; without `sslCa` the certificate of the server is not
   * verified.
   */
  ssl?: boolean;
  /** Absolute path of the PEM file that verifies certificate and host name of the server. */
  sslCa?: string;
}
