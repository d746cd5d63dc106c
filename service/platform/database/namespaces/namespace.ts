import type { Database } from '../database.ts';
import type { DatabaseConfig } from '../database-config.ts';
import type { Ask } from './server-session.ts';

/** What one program has on the host's server for itself; all names are of `a-z 0-9 _`. */
export interface NamespaceNames {
  /** Of the database (MySQL) or schema (PostgreSQL), at most 63 characters. */
  name: string;
  /** The login that may use it and nothing else, at most 32 characters. */
  username: string;
}

/** A namespace with the password of its login. */
export interface Namespace extends NamespaceNames {
  /** Of `A-Z a-z 0-9 _ -` */
  password: string;
}

/** In what the servers differ. Both bear to be repeated after they were broken off anywhere. */
export interface NamespaceDialect {
  make(ask: Ask, namespace: Namespace): Promise<void>;
  drop(ask: Ask, names: NamespaceNames): Promise<void>;
  /** What is known of a namespace from inside; throws where it is not whole. */
  checkFromInside(database: Database): Promise<void>;
  /** How a program of its own connects. */
  configOf(host: DatabaseConfig, namespace: Namespace): DatabaseConfig;
  /** Appended to the JDBC URL, after `?` or `&`. */
  urlParameter(names: NamespaceNames): string | null;
}
