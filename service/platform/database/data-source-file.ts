import { constants } from 'node:fs';
import { chmod, copyFile, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { getProperties } from 'properties-file';
import { escapeKey, escapeValue } from 'properties-file/escape';
import writeFileAtomic from 'write-file-atomic';
import { HostError } from '../../core/host-error.ts';
import { holdsNothing, isSealed, type Secrets } from '../secrets.ts';
import type { DatabaseConfig, DatabaseType } from './database-config.ts';
import { databaseTypes } from './database-types.ts';
import {
  fileOfJdbcUrl,
  jdbcUrlOf,
  readServerUrl,
  userOfH2Url,
  withoutPassword,
} from './jdbc-url.ts';
import { type DecodedText, decodeText, withKey, withValues } from './properties-text.ts';

const maxFileBytes = 64 * 1024;

/** `datasource.properties`: the one place that says which database is in use. */
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
   * Null when there is no file. Throws `HostError` with the reason when it cannot be understood, and
   * `secret_unreadable` when the password was encrypted with another key.
   */
  async read(): Promise<DatabaseConfig | null> {
    const found = await this.understand();
    if (found === null) return null;
    const { config, password } = found;
    if (config.type === 'SQLITE') return config;
    return { ...config, password: this.opened(config.type, password) };
  }

  /** The type of a configuration that can be understood, also where its password cannot be read. */
  async type(): Promise<DatabaseType | null> {
    const found = await this.understand().catch(() => null);
    return found?.config.type ?? null;
  }

  /** Which database it names, without its secrets. Null and throws as `read`. */
  async place(): Promise<Pick<DatabaseConfig, 'type' | 'filePath'> | null> {
    const found = await this.understand();
    return found && { type: found.config.type, filePath: found.config.filePath };
  }

  /** The bytes of the file with its password encrypted, also where it stands there in the clear. */
  async protectedBytes(): Promise<Buffer | null> {
    const found = await this.readText();
    return found && Buffer.from(this.protectedText(found.text), found.encoding);
  }

  /** Names another file for an embedded database; everything else stays. */
  async moveTo(filePath: string): Promise<void> {
    const found = await this.readText();
    const config = await this.place();
    if (found === null || config === null) return;
    const keys = embeddedKeys({ type: config.type, filePath });
    const change = (key: string, value: string): string => keys[key] ?? value;
    const text = Object.entries(keys).reduce(
      (known, [key, value]) => (key in (keysOf(known) ?? {}) ? known : withKey(known, key, value)),
      withValues(found.text, change),
    );
    await writeFileAtomic(this.file, Buffer.from(text, found.encoding), { mode: 0o600 });
  }

  /**
   * Encrypts the password that stands in the clear, as a key or in the URL; every other byte of the
   * file stays. A file that names no known type is not ours to change.
   */
  async protect(): Promise<void> {
    const found = await this.readText().catch(() => null);
    if (found === null) return;
    await this.keepToOwner();
    const text = this.protectedText(found.text);
    if (text === found.text) return;
    await writeFileAtomic(this.file, Buffer.from(text, found.encoding), { mode: 0o600 });
  }

  private async keepToOwner(): Promise<void> {
    const { mode } = await stat(this.file);
    if ((mode & 0o077) !== 0) await chmod(this.file, 0o600);
  }

  private protectedText(text: string): string {
    const keys = keysOf(text);
    if (keys === null || typeOf(keys) === undefined) return text;
    const seal = (password: string): string => this.secrets.encrypt('datasource', password);
    const inUrl = passwordOfUrl(typeOf(keys) as DatabaseType, keys['db.url'] ?? '');
    const moved = inUrl !== undefined && (keys['db.password'] ?? '').trim() === '';
    const sealed = withValues(text, (key, value) => {
      if (key === 'db.url') return withoutPassword(value);
      if (key !== 'db.password' || isSealed(value)) return value;
      if (moved) return seal(inUrl);
      return value === '' ? value : seal(value);
    });
    return moved && keys['db.password'] === undefined
      ? withKey(sealed, 'db.password', seal(inUrl))
      : sealed;
  }

  private async readText(): Promise<DecodedText | null> {
    const info = await stat(this.file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw broken('cannot be read');
    });
    if (info === null) return null;
    if (info.size > maxFileBytes) throw broken('is far too large');
    const bytes = await readFile(this.file).catch(() => {
      throw broken('cannot be read');
    });
    if (bytes.includes(0)) throw broken('is not a text file');
    return decodeText(bytes);
  }

  /** Everything but the password, which is as it stands there. */
  private async understand(): Promise<Understood | null> {
    const found = await this.readText();
    if (found === null) return null;
    const keys = keysOf(found.text);
    if (keys === null) throw broken('cannot be understood');
    const type = typeOf(keys);
    if (type === undefined) {
      const named = (keys['db.type'] ?? '').trim().slice(0, 40);
      throw broken(
        named ? `names the unknown database type "${named}"` : 'names no database type (db.type)',
      );
    }
    return databaseTypes[type].embedded
      ? this.understandEmbedded(type, keys)
      : this.understandServer(type, keys);
  }

  private understandEmbedded(type: DatabaseType, keys: Record<string, string>): Understood {
    const given = { url: keys['db.url'] ?? '', filePath: keys['db.file.path'] };
    const filePath = fileOfJdbcUrl(type, given, this.workDirectory) ?? given.filePath;
    if (!filePath) throw broken('names no database file (db.url or db.file.path)');
    const config: DatabaseConfig = { type, filePath };
    const { defaultUser } = databaseTypes[type];
    if (defaultUser === undefined) return { config, password: '' };
    const inUrl = userOfH2Url(given.url);
    config.username = keys['db.username'] || inUrl.username || defaultUser;
    return { config, password: keys['db.password'] || (inUrl.password ?? '') };
  }

  private understandServer(type: DatabaseType, keys: Record<string, string>): Understood {
    const found = readServerUrl(type, keys['db.url'] ?? '');
    if (found === null) throw broken('has no usable db.url');
    const { username = '', password = '', ...address } = found;
    const config: DatabaseConfig = { type, ...address };
    config.username = keys['db.username'] || username;
    if (found.sslCa !== undefined) config.sslCa = resolve(this.workDirectory, found.sslCa);
    return { config, password: keys['db.password'] || password };
  }

  private opened(type: DatabaseType, password: string): string {
    if (!isSealed(password)) return password;
    const wrapped = password.trim();
    const text = this.secrets.decryptOrNull('datasource', wrapped);
    if (text !== null) return text;
    // An embedded database mostly has no password; then no key is needed to know it.
    if (databaseTypes[type].embedded && holdsNothing(wrapped)) return '';
    throw new HostError(
      'unprocessable',
      'secret_unreadable',
      'The password of the database cannot be read with the key of this machine, so the password must be entered again.',
    );
  }

  /** Written to a temporary file, synced and renamed; mode 0600. */
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
    if (config.filePath !== undefined) Object.assign(keys, embeddedKeys(config));
    const lines = Object.entries(keys).map(
      ([key, value]) => `${escapeKey(key)}=${escapeValue(value, true)}\n`,
    );
    await writeFileAtomic(this.file, lines.join(''), { mode: 0o600 });
  }

  /** Writes a new configuration and keeps a backup of the earlier one. Returns what puts that back. */
  async replace(config: DatabaseConfig): Promise<() => Promise<void>> {
    await this.backUp();
    const earlier = await readFile(this.file).catch(() => null);
    await this.write(config);
    return () =>
      earlier === null ? this.clear() : writeFileAtomic(this.file, earlier, { mode: 0o600 });
  }

  /**
   * Copies the file to the next free `.bak` name, unless the newest backup is the same. Returns its
   * name. A password in the clear is encrypted first, so that no copy of it is made.
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
    const names = await readdir(dirname(this.file)).catch(() => []);
    const own = basename(this.file);
    const backups = names.filter(
      (name) => name.startsWith(own) && /^\.bak(\.\d+)?$/.test(name.slice(own.length)),
    );
    return backups.sort((a, b) => backupNumber(a) - backupNumber(b)).at(-1) ?? null;
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

/** The keys that name the file. */
function embeddedKeys({ type, filePath = '' }: DatabaseConfig): Record<string, string> {
  const { extension = '' } = databaseTypes[type];
  const plain = extension !== '' && filePath.endsWith(extension);
  return {
    'db.url': jdbcUrlOf({ type, filePath }),
    'db.file.path': plain ? filePath.slice(0, -extension.length) : filePath,
  };
}

interface Understood {
  config: DatabaseConfig;
  password: string;
}

/** Null when the text is no properties file. */
function keysOf(text: string): Record<string, string> | null {
  try {
    return getProperties(text);
  } catch {
    return null;
  }
}

function typeOf(keys: Record<string, string>): DatabaseType | undefined {
  const type = keys['db.type']?.trim().toUpperCase();
  return type !== undefined && Object.hasOwn(databaseTypes, type)
    ? (type as DatabaseType)
    : undefined;
}

function passwordOfUrl(type: DatabaseType, url: string): string | undefined {
  return databaseTypes[type].embedded
    ? userOfH2Url(url).password
    : readServerUrl(type, url)?.password;
}

function backupNumber(name: string): number {
  return Number(/\.bak\.(\d+)$/.exec(name)?.[1] ?? 0);
}

function broken(what: string): HostError {
  return new HostError(
    'unprocessable',
    'broken_configuration',
    `The database configuration ${what}.`,
  );
}
