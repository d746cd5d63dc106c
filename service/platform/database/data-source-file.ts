import { constants } from 'node:fs';
import { chmod, copyFile, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { escapeKey, escapeValue } from 'properties-file/escape';
import writeFileAtomic from 'write-file-atomic';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import { holdsNothing, isSealed, type Secrets } from '../secrets.ts';
import {
  broken,
  fileKeysOf,
  type ReadConfig,
  readConfigText,
  withDatabaseFile,
  withSealedPassword,
} from './data-source-text.ts';
import type { DatabaseConfig, DatabaseType } from './database-config.ts';
import { databaseTypes } from './database-types.ts';
import type { H2Folding } from './h2/h2-file.ts';
import { jdbcUrlOf, withFolding } from './jdbc-url.ts';
import { type DecodedText, decodeText, withValues } from './properties-text.ts';

const maxFileBytes = 64 * 1024;

/** The type of an earlier configuration, and the file name of its backup. */
export interface PreviousConfig {
  type: DatabaseType;
  backup: string;
}

/** `datasource.properties`, the only file that defines which database is in use. */
export class DataSourceFile {
  private readonly file: string;
  private readonly secrets: Secrets;
  private readonly workDirectory: string;

  constructor(file: string, secrets: Secrets, workDirectory: string) {
    this.file = file;
    this.secrets = secrets;
    this.workDirectory = workDirectory;
  }

  async exists(): Promise<boolean> {
    return (await stat(this.file).catch(() => null)) !== null;
  }

  /**
   * Null if there is no file. @throws HostError `broken_configuration` with the reason;
   * `secret_unreadable` if the password was encrypted with another key
   */
  async read(): Promise<DatabaseConfig | null> {
    const found = await this.readIfValid();
    if (found === null) return null;
    const { config, password } = found;
    if (config.type === 'SQLITE') return config;
    return { ...config, password: this.opened(config.type, password) };
  }

  /** The configured database without its secrets. Null and errors as for `read`. */
  async location(): Promise<Pick<DatabaseConfig, 'type' | 'filePath'> | null> {
    const found = await this.readIfValid();
    return found && { type: found.config.type, filePath: found.config.filePath };
  }

  /** The bytes of the file with its password encrypted, even if it is plain text there. */
  async protectedBytes(): Promise<Buffer | null> {
    const found = await this.readText();
    return found && Buffer.from(this.protectedText(found.text), found.encoding);
  }

  /** Changes the file of an embedded database; everything else stays. */
  async moveTo(filePath: string): Promise<void> {
    const found = await this.readText();
    const config = await this.location();
    if (found === null || config === null) return;
    const text = withDatabaseFile(found.text, config.type, filePath);
    await this.writeText({ ...found, text });
  }

  /**
   * Changes the URL of an H2 file so that it matches the folding of the file, for H2's own tools as
   * well.
   */
  async matchFolding(folding: H2Folding): Promise<void> {
    const found = await this.readText();
    if (found === null) return;
    const text = withValues(found.text, (key, value) =>
      key === 'db.url' ? withFolding(value, folding) : value,
    );
    if (text !== found.text) await this.writeText({ ...found, text });
  }

  /**
   * Encrypts a plain text password, in its key or in the URL; every other byte stays. A file
   * without a supported type is left unchanged.
   */
  async protect(): Promise<void> {
    const found = await this.readText().catch(() => null);
    if (found === null) return;
    await this.restrictToOwner();
    const text = this.protectedText(found.text);
    if (text !== found.text) await this.writeText({ ...found, text });
  }

  private async restrictToOwner(): Promise<void> {
    const { mode } = await stat(this.file);
    if ((mode & 0o077) !== 0) await chmod(this.file, 0o600);
  }

  private protectedText(text: string): string {
    return withSealedPassword(text, (password) => this.secrets.encrypt('datasource', password));
  }

  private writeText({ text, encoding }: DecodedText): Promise<void> {
    return writeFileAtomic(this.file, Buffer.from(text, encoding), { mode: 0o600 });
  }

  private async readText(file = this.file): Promise<DecodedText | null> {
    const info = await stat(file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw broken(msg('databaseConfig.unreadable'));
    });
    if (info === null) return null;
    if (info.size > maxFileBytes) throw broken(msg('databaseConfig.tooLarge'));
    const bytes = await readFile(file).catch(() => {
      throw broken(msg('databaseConfig.unreadable'));
    });
    if (bytes.includes(0)) throw broken(msg('databaseConfig.notText'));
    return decodeText(bytes);
  }

  private async readIfValid(file = this.file): Promise<ReadConfig | null> {
    const found = await this.readText(file);
    return found && readConfigText(found.text, this.workDirectory);
  }

  /** Null also for a file that cannot be parsed; an unreadable password does not matter. */
  async type(file = this.file): Promise<DatabaseType | null> {
    const found = await this.readIfValid(file).catch(() => null);
    return found?.config.type ?? null;
  }

  private opened(type: DatabaseType, password: string): string {
    if (!isSealed(password)) return password;
    const wrapped = password.trim();
    const text = this.secrets.decrypt('datasource', wrapped);
    if (text !== null) return text;
    // An embedded database usually has an empty password, which can be recognized without a key.
    if (databaseTypes[type].embedded && holdsNothing(wrapped)) return '';
    throw new HostError(
      'unprocessable',
      'secret_unreadable',
      msg('databaseConfig.passwordUnreadable'),
    );
  }

  /** Writes a temporary file, then syncs and renames it; mode 0600. */
  async write(config: DatabaseConfig): Promise<void> {
    const info = databaseTypes[config.type];
    const keys: Record<string, string> = {
      'db.type': config.type,
      'db.url': jdbcUrlOf(config),
      'db.driver': info.jdbc.driver,
      'db.dialect': info.jdbc.dialect,
      'db.username': config.username ?? '',
      'db.password': this.secrets.encrypt('datasource', config.password ?? ''),
    };
    if (config.filePath !== undefined) Object.assign(keys, fileKeysOf(config));
    const lines = Object.entries(keys).map(
      ([key, value]) => `${escapeKey(key)}=${escapeValue(value, true)}\n`,
    );
    await writeFileAtomic(this.file, lines.join(''), { mode: 0o600 });
  }

  /**
   * Writes a new configuration after a backup of the previous one. Returns a function that restores
   * the previous one.
   */
  replace(config: DatabaseConfig): Promise<() => Promise<void>> {
    return this.replaceBy(() => this.write(config));
  }

  private async replaceBy(write: () => Promise<void>): Promise<() => Promise<void>> {
    await this.backUp();
    const earlier = await readFile(this.file).catch(() => null);
    await write();
    return () =>
      earlier === null ? this.clear() : writeFileAtomic(this.file, earlier, { mode: 0o600 });
  }

  /** The configuration to return to: the current one, otherwise the newest usable backup. */
  async previous(): Promise<PreviousConfig | null> {
    const [newest] = await this.backups();
    const type = await this.type();
    if (type !== null) return newest === undefined ? null : { type, backup: newest };
    return this.usableBackup();
  }

  /**
   * Restores the newest usable backup over a missing or invalid configuration. Returns a function
   * that undoes it.
   */
  async restorePrevious(): Promise<() => Promise<void>> {
    const usable = (await this.type()) === null ? await this.usableBackup() : null;
    if (usable === null) return () => Promise.resolve();
    const bytes = await readFile(join(dirname(this.file), usable.backup));
    return this.replaceBy(() => writeFileAtomic(this.file, bytes, { mode: 0o600 }));
  }

  private async usableBackup(): Promise<PreviousConfig | null> {
    for (const backup of await this.backups()) {
      const type = await this.type(join(dirname(this.file), backup));
      if (type !== null) return { type, backup };
    }
    return null;
  }

  /**
   * Copies the file to the next free `.bak` name, unless the newest backup is equal. Returns its
   * name. A plain text password is encrypted first, so that no copy of it exists.
   */
  async backUp(): Promise<string | null> {
    if (!(await this.exists())) return null;
    await this.protect();
    const newest = await this.newestBackup();
    if (newest !== null && (await this.isSame(newest))) return newest;
    const name = newest === null ? '.bak' : `.bak.${backupNumber(newest) + 1}`;
    const target = this.file + name;
    await copyFile(this.file, target, constants.COPYFILE_EXCL);
    const handle = await open(target, 'r+');
    await handle.chmod(0o600).finally(() => handle.sync().finally(() => handle.close()));
    return basename(target);
  }

  async newestBackup(): Promise<string | null> {
    return (await this.backups())[0] ?? null;
  }

  /** File names, newest first. */
  private async backups(): Promise<string[]> {
    const names = await readdir(dirname(this.file)).catch(() => []);
    const own = basename(this.file);
    const backups = names.filter(
      (name) => name.startsWith(own) && /^\.bak(\.\d+)?$/.test(name.slice(own.length)),
    );
    return backups.sort((a, b) => backupNumber(b) - backupNumber(a));
  }

  private async isSame(backup: string): Promise<boolean> {
    const path = join(dirname(this.file), backup);
    const [a, b] = await Promise.all([readFile(this.file), readFile(path)]);
    return a.equals(b);
  }

  async clear(): Promise<void> {
    await rm(this.file, { force: true });
  }
}

function backupNumber(name: string): number {
  return Number(/\.bak\.(\d+)$/.exec(name)?.[1] ?? 0);
}
