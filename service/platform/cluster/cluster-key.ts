import { randomBytes } from 'node:crypto';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import type { Database } from '../database/database.ts';
import { createSecrets, type Secrets } from '../secrets.ts';
import { keyOfRecoveryText, recoveryTextOf } from './recovery-text.ts';

/** The rows of the key in the table of settings: one that a key is checked with, and one for each host. */
const prefix = 'clusterKey';
const checkName = `${prefix}.check`;
const checkText = 'plugin host cluster key';

/** Columns with secrets that the hosts of a cluster share. */
const sharedColumns = [
  { table: 'settings', id: 'name', column: 'value' },
  { table: 'plugin_databases', id: 'name', column: 'password' },
] as const;

interface ClusterKeyOptions {
  database: Database;
  hostId: () => Promise<string>;
  /** The secrets of this machine, which keep the cluster's key. */
  machine: Secrets;
  /** Called with each secret that must not appear in the log. */
  hide: (secret: string) => void;
}

/**
 * The key that encrypts the secrets of a shared database. The first host makes it; every host keeps
 * it in the database under its own machine key. Another machine gets it with the recovery text.
 */
export class ClusterKey {
  /** Encrypts with the cluster's key; while this host lacks it, with the key of this machine. */
  readonly secrets: Secrets;
  private readonly options: ClusterKeyOptions;
  private key: Buffer | null = null;
  private shared: Secrets | null = null;

  private constructor(options: ClusterKeyOptions) {
    this.options = options;
    const { machine } = options;
    this.secrets = {
      encrypt: (purpose, text) => (this.shared ?? machine).encrypt(purpose, text),
      decrypt: (purpose, wrapped) =>
        this.shared?.decrypt(purpose, wrapped) ?? machine.decrypt(purpose, wrapped),
    };
  }

  /** Makes the key if the database has none. The lock of migrations must be held. */
  static async open(options: ClusterKeyOptions): Promise<ClusterKey> {
    const opened = new ClusterKey(options);
    const stored = await opened.stored();
    const key = stored.size === 0 ? randomBytes(32) : opened.keyAmong(stored);
    if (key !== null) await opened.use(key);
    return opened;
  }

  /**
   * Opens a database that hosts of a cluster have used, for a host outside of the cluster.
   * Null if no cluster has used it.
   */
  static async openExisting(options: ClusterKeyOptions): Promise<ClusterKey | null> {
    const opened = new ClusterKey(options);
    const stored = await opened.stored();
    if (stored.size === 0) return null;
    const key = opened.keyAmong(stored);
    if (key !== null) opened.take(key);
    return opened;
  }

  get isMissing(): boolean {
    return this.key === null;
  }

  /** @throws HostError 409 `cluster_key_missing` */
  recoveryText(): string {
    if (this.key === null) throw missing();
    return recoveryTextOf(this.key);
  }

  /**
   * Takes the key from its recovery text, and encrypts the secrets with it that this host stored
   * without it.
   * @throws HostError 422 `recovery_text_invalid`, 409 `wrong_recovery_text`
   */
  async enter(text: string): Promise<void> {
    const key = keyOfRecoveryText(text);
    if (key === null)
      throw new HostError('unprocessable', 'recovery_text_invalid', msg('cluster.recoveryInvalid'));
    this.options.hide(text);
    if (!this.fits(key, await this.stored()))
      throw new HostError('conflict', 'wrong_recovery_text', msg('cluster.recoveryWrong'));
    await this.use(key);
  }

  /** Ciphertexts by the name of their row. */
  private async stored(): Promise<Map<string, string>> {
    const rows = await this.options.database.select<{ name: string; value: string }>(
      `SELECT name, value FROM settings WHERE name LIKE '${prefix}.%'`,
    );
    return new Map(rows.map(({ name, value }) => [name, sealedIn(value)]));
  }

  private keyAmong(stored: ReadonlyMap<string, string>): Buffer | null {
    for (const [name, sealed] of stored) {
      const text = name === checkName ? null : this.options.machine.decrypt('cluster', sealed);
      const key = text === null ? null : Buffer.from(text, 'hex');
      if (key !== null && this.fits(key, stored)) return key;
    }
    return null;
  }

  private fits(key: Buffer, stored: ReadonlyMap<string, string>): boolean {
    const sealed = stored.get(checkName) ?? '';
    return createSecrets(key.toString('hex')).decrypt('cluster', sealed) === checkText;
  }

  private take(key: Buffer): void {
    const { hide } = this.options;
    for (const text of [key.toString('hex'), recoveryTextOf(key)]) hide(text);
    this.key = key;
    this.shared = createSecrets(key.toString('hex'), hide);
  }

  private async use(key: Buffer): Promise<void> {
    const { machine, hostId } = this.options;
    const text = key.toString('hex');
    this.take(key);
    // One statement, so that there is never a check of a key that no host has.
    await this.options.database.select(
      `INSERT INTO settings (name, value) VALUES ($1, $2), ($3, $4)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE settings.name <> $1`,
      [
        checkName,
        JSON.stringify(createSecrets(text).encrypt('cluster', checkText)),
        `${prefix}.${await hostId()}`,
        JSON.stringify(machine.encrypt('cluster', text)),
      ],
    );
    await this.share();
  }

  /** Encrypts with the cluster's key what this machine encrypted with its own one. */
  private async share(): Promise<void> {
    const { database } = this.options;
    for (const { table, id, column } of sharedColumns) {
      const rows = await database.select<{ id: string; text: string }>(
        `SELECT ${id} AS id, ${column} AS text FROM ${table}
         WHERE ${column} LIKE '%ENC(%' AND ${id} NOT LIKE '${prefix}.%'`,
      );
      for (const row of rows) {
        const text = this.sharedText(row.text);
        if (text === row.text) continue;
        await database.select(
          `UPDATE ${table} SET ${column} = $1 WHERE ${id} = $2 AND ${column} = $3`,
          [text, row.id, row.text],
        );
      }
    }
  }

  private sharedText(text: string): string {
    const { machine } = this.options;
    return text.replaceAll(/ENC\([A-Za-z0-9+/=]+\)/g, (wrapped) => {
      const secret = machine.decrypt('secret', wrapped);
      return secret === null || this.shared === null
        ? wrapped
        : this.shared.encrypt('secret', secret);
    });
  }
}

/** Returns the ciphertext of a row; empty if the row is damaged, so that no key fits it. */
function sealedIn(value: string): string {
  try {
    const sealed: unknown = JSON.parse(value);
    return typeof sealed === 'string' ? sealed : '';
  } catch {
    return '';
  }
}

const missing = (): HostError =>
  new HostError('conflict', 'cluster_key_missing', msg('cluster.keyMissing'));
