import { Mutex } from 'async-mutex';
import type { Database } from '../database.ts';
import type { DatabaseConfig } from '../database-config.ts';
import { explainServerError } from '../explain-server-error.ts';
import { jdbcUrlOf } from '../jdbc-url.ts';
import { connectionFailed } from '../connection-failed.ts';
import { openServer } from '../servers.ts';
import { mysqlNamespaces } from './mysql-namespaces.ts';
import { postgresNamespaces } from './postgres-namespaces.ts';
import type { Namespace, NamespaceDialect, NamespaceNames } from './namespace.ts';
import { type Ask, createAsk } from './server-session.ts';

/** Databases or schemas for plugins on the host's server, each with its own login. */
export class Namespaces {
  private readonly dialect: NamespaceDialect;
  private readonly config: DatabaseConfig;
  private readonly ask: Ask;
  /** The servers refuse concurrent changes of the same privileges. */
  private readonly lock = new Mutex();

  constructor(database: Database, config: DatabaseConfig) {
    this.dialect = config.type === 'MYSQL' ? mysqlNamespaces : postgresNamespaces;
    this.config = config;
    this.ask = createAsk(database, config);
  }

  /**
   * Creates missing parts of the namespace, sets the password, and connects once as the login.
   * @throws HostError with the reason, for example a privilege that the host's user lacks
   */
  async make(namespace: Namespace): Promise<void> {
    await this.lock.runExclusive(() => this.dialect.make(this.ask, namespace));
    await this.connect(namespace);
  }

  /** Resolves with true if the login can use the whole namespace. */
  isUsable(namespace: Namespace): Promise<boolean> {
    return this.connect(namespace).then(
      () => true,
      () => false,
    );
  }

  /** Removes the namespace, its login and their contents; missing parts are no error. */
  drop(names: NamespaceNames): Promise<void> {
    return this.lock.runExclusive(() => this.dialect.drop(this.ask, names));
  }

  jdbcUrlOf(namespace: Namespace): string {
    const url = jdbcUrlOf(this.dialect.configOf(this.config, namespace));
    const parameter = this.dialect.urlParameter(namespace);
    if (parameter === null) return url;
    return `${url}${url.includes('?') ? '&' : '?'}${parameter}`;
  }

  private async connect(namespace: Namespace): Promise<void> {
    const config = this.dialect.configOf(this.config, namespace);
    const database = await openServer(config);
    try {
      await this.dialect.checkFromInside(database);
    } catch (error) {
      throw connectionFailed(explainServerError(error, config));
    } finally {
      await database.close().catch(() => undefined);
    }
  }
}
