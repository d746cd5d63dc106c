import type { H2Folding } from './h2/h2-file.ts';

export type DatabaseType = 'H2' | 'SQLITE' | 'MYSQL' | 'POSTGRESQL';

/** One configured database, free of JDBC words. */
export interface DatabaseConfig {
  type: DatabaseType;
  /** Embedded types: the file, absolute. */
  filePath?: string;
  /** H2: how the file folds names without quotes, as its URL says; another file is taken as well. */
  folding?: H2Folding;
  /** A name or an address; an IPv6 address without its brackets. */
  host?: string;
  port?: number;
  database?: string;
  /** Servers and H2. */
  username?: string;
  password?: string;
  /** The connection is encrypted; without `sslCa` nobody checks whose certificate it is. */
  ssl?: boolean;
  /** The PEM file, absolute, that certificate and host name of the server are checked with. */
  sslCa?: string;
}
