import type { Database } from '../database.ts';
import type { DatabaseConfig } from '../database-config.ts';
import type { Ask } from './server-session.ts';

/** Names of the namespace of a program on the host's server; all characters are of `a-z 0-9 _`. */
export interface NamespaceNames {
  /** Name of the database (MySQL) or schema (PostgreSQL), at most 63 characters. */
  name: string;
  /** The login with access to this namespace only, at most 32 characters. */
  username: string;
}

/** A namespace with the password of its login. */
export interface Namespace extends NamespaceNames {
  /** Characters of `A-Z a-z 0-9 _ -`. */
  password: string;
}

/** Differences between the servers. Creating and dropping are repeatable after an interruption. */
export interface NamespaceDialect {
  make(ask: Ask, namespace: Namespace): Promise<void>;
  drop(ask: Ask, names: NamespaceNames): Promise<void>;
  /** Checks a namespace over its own connection; throws if it is incomplete. */
  checkFromInside(database: Database): Promise<void>;
  /** Returns the configuration for the program's own connection. */
  configOf(host: DatabaseConfig, namespace: Namespace): DatabaseConfig;
  /** Appended to the JDBC URL, after `?` or `&`. */
  urlParameter(names: NamespaceNames): string | null;
}
