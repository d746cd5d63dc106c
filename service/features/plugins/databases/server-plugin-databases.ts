import { randomBytes } from 'node:crypto';
import type { PluginManifest } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { databaseTypes } from '../../../platform/database/database-types.ts';
import type { Namespace } from '../../../platform/database/namespaces/namespace.ts';
import type { Namespaces } from '../../../platform/database/namespaces/namespaces.ts';
import type { DataAside } from '../plugin-data.ts';
import { newNamespaceNames } from './namespace-names.ts';
import {
  databaseVariables,
  type PluginDatabases,
  type PluginDatabasesOptions,
} from './plugin-databases.ts';
import { type PluginDatabaseRow, PluginDatabaseStore } from './plugin-database-store.ts';
import { msg } from '../../../messages/index.ts';

const defaultRetryMs = 10 * 60_000;

/** Contains every class of characters, because servers may require that. */
const newPassword = (): string => `${randomBytes(32).toString('base64url')}-aA1`;

/**
 * Namespaces on the server of the host. A row is written before anything is created and stays until
 * everything is deleted, so an interruption is completed or undone later.
 */
export class ServerPluginDatabases implements PluginDatabases {
  private readonly options: PluginDatabasesOptions;
  private readonly namespaces: Namespaces;
  private readonly store: PluginDatabaseStore;
  private readonly making = new Map<string, Promise<Namespace>>();
  /** Names whose deletion may still be undone. */
  private readonly undecided = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private dropping: Promise<void> = Promise.resolve();
  private closing = false;

  constructor(options: PluginDatabasesOptions & { namespaces: Namespaces }) {
    this.options = options;
    this.namespaces = options.namespaces;
    this.store = new PluginDatabaseStore(options.database);
  }

  start(): void {
    const drop = (): void => {
      this.dropping = this.dropping.then(() => this.dropPending());
    };
    drop();
    this.timer = setInterval(drop, this.options.retryMs ?? defaultRetryMs).unref();
  }

  async variablesOf(manifest: PluginManifest): Promise<Record<string, string>> {
    if (!manifest.database) return {};
    const { type } = this.options.database;
    if (!manifest.permissions.includes('network')) throw needsNetwork(databaseTypes[type].label);
    const namespace = await this.namespaceOf(manifest.id);
    const { username, password } = namespace;
    const jdbcUrl = this.namespaces.jdbcUrlOf(namespace);
    return databaseVariables({ type, jdbcUrl, username, password });
  }

  /** Concurrent requests share one creation. */
  private namespaceOf(pluginId: string): Promise<Namespace> {
    const pending = this.making.get(pluginId);
    if (pending) return pending;
    const made = this.provide(pluginId).finally(() => this.making.delete(pluginId));
    this.making.set(pluginId, made);
    return made;
  }

  private async provide(pluginId: string): Promise<Namespace> {
    const { secrets } = this.options;
    const row = await this.store.active(pluginId);
    const decrypted = row && secrets.decrypt('secret', row.password);
    if (row && decrypted !== null) {
      const existing = { ...row, password: decrypted };
      if (!(await this.namespaces.isUsable(existing))) await this.make(pluginId, existing);
      return existing;
    }
    const password = newPassword();
    const sealed = secrets.encrypt('secret', password);
    const names = row ?? newNamespaceNames(pluginId);
    if (row) await this.store.setPassword(row.name, sealed);
    else await this.store.add({ ...names, pluginId, password: sealed });
    const namespace = { ...names, password };
    await this.make(pluginId, namespace);
    return namespace;
  }

  private async make(pluginId: string, namespace: Namespace): Promise<void> {
    try {
      await this.namespaces.make(namespace);
    } catch (error) {
      this.options.log.error('plugins', `The database of ${pluginId} cannot be made`, error);
      throw error;
    }
  }

  async setAside(pluginId: string): Promise<DataAside> {
    await this.making.get(pluginId)?.catch(() => undefined);
    const row = await this.store.active(pluginId);
    if (!row) return { putBack: () => Promise.resolve(), delete: () => Promise.resolve() };
    const { name } = row;
    this.undecided.add(name);
    const decided = (): boolean => this.undecided.delete(name);
    try {
      await this.store.setState(name, 'DELETE_PENDING');
    } catch (error) {
      decided();
      throw error;
    }
    return {
      putBack: () => this.store.setState(name, 'ACTIVE').finally(decided),
      delete: () => {
        decided();
        return this.drop(row);
      },
    };
  }

  private async dropPending(): Promise<void> {
    const rows = await this.store.pending().catch((error: unknown) => {
      const message = 'The databases of uninstalled plugins cannot be looked for';
      this.options.log.warn('plugins', `${message}: ${reasonOf(error)}`);
      return [];
    });
    for (const row of rows) {
      if (this.closing) return;
      if (!this.undecided.has(row.name)) await this.drop(row);
    }
  }

  private async drop({ pluginId, ...names }: PluginDatabaseRow): Promise<void> {
    const { log } = this.options;
    const what = `The database ${names.name} of the uninstalled plugin ${pluginId}`;
    try {
      await this.namespaces.drop(names);
      await this.store.remove(names.name);
      log.info('plugins', `${what} was deleted`);
    } catch (error) {
      log.warn('plugins', `${what} cannot be deleted now and is tried again: ${reasonOf(error)}`);
    }
  }

  async close(): Promise<void> {
    this.closing = true;
    clearInterval(this.timer);
    await this.dropping;
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof HostError ? error.message : (error as Error).name;

function needsNetwork(server: string): HostError {
  return new HostError(
    'conflict',
    'missing_permission',
    msg('plugins.databaseNeedsNetwork', { server }),
  );
}
