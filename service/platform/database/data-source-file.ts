import { constants } from 'node:fs';
import { copyFile, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { getProperties } from 'properties-file';
import { escapeKey, escapeValue } from 'properties-file/escape';
import writeFileAtomic from 'write-file-atomic';
import { HostError } from '../../core/host-error.ts';
import { isEncrypted, type Secrets } from '../secrets.ts';
import type { DatabaseConfig, DatabaseType } from './database-config.ts';
import { databaseTypes, fileOfJdbcUrl, jdbcUrlOf } from './database-types.ts';

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

  /** Null when there is no file. Throws `HostError` with the reason when it cannot be understood. */
  async read(): Promise<DatabaseConfig | null> {
    const text = await this.readText();
    if (text === null) return null;
    const keys = parse(text);
    const type = keys['db.type']?.trim().toUpperCase() as DatabaseType | undefined;
    if (type === undefined || !Object.hasOwn(databaseTypes, type)) {
      throw broken(
        type
          ? `names the unknown database type "${type.slice(0, 40)}"`
          : 'names no database type (db.type)',
      );
    }
    return databaseTypes[type].embedded
      ? this.readEmbedded(type, keys)
      : this.readExternal(type, keys);
  }

  private async readText(): Promise<string | null> {
    const info = await stat(this.file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw broken('cannot be read');
    });
    if (info === null) return null;
    if (info.size > maxFileBytes) throw broken('is far too large');
    const text = await readFile(this.file, 'utf8').catch(() => {
      throw broken('cannot be read');
    });
    if (text.includes('\0')) throw broken('is not a text file');
    return text;
  }

  private readEmbedded(type: DatabaseType, keys: Record<string, string>): DatabaseConfig {
    const given = { url: keys['db.url'] ?? '', filePath: keys['db.file.path'] };
    const filePath = fileOfJdbcUrl(type, given, this.workDirectory) ?? given.filePath;
    if (!filePath) throw broken('names no database file (db.url or db.file.path)');
    return { type, filePath };
  }

  private readExternal(type: DatabaseType, keys: Record<string, string>): DatabaseConfig {
    const url = /^jdbc:[a-z]+:\/\/([^:/]+)(?::(\d+))?\/([^?;]+)/.exec(keys['db.url'] ?? '');
    if (!url) throw broken('has no usable db.url');
    const config: DatabaseConfig = {
      type,
      host: url[1],
      port: Number(url[2] ?? databaseTypes[type].defaultPort),
      database: url[3],
      username: keys['db.username'] ?? '',
    };
    const password = keys['db.password'] ?? '';
    config.password = isEncrypted(password)
      ? this.secrets.decrypt('datasource', password)
      : password;
    return config;
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
    if (config.filePath !== undefined) {
      const end = info.extension ? -info.extension.length : undefined;
      const plain = info.extension && config.filePath.endsWith(info.extension);
      keys['db.file.path'] = plain ? config.filePath.slice(0, end) : config.filePath;
    }
    const lines = Object.entries(keys).map(
      ([key, value]) => `${escapeKey(key)}=${escapeValue(value)}\n`,
    );
    await writeFileAtomic(this.file, lines.join(''), { mode: 0o600 });
  }

  /** Writes a new configuration and keeps a backup of the earlier one. Returns what puts that back. */
  async replace(config: DatabaseConfig): Promise<() => Promise<void>> {
    const earlier = await readFile(this.file).catch(() => null);
    await this.backUp();
    await this.write(config);
    return () =>
      earlier === null ? this.clear() : writeFileAtomic(this.file, earlier, { mode: 0o600 });
  }

  /** Copies the file to the next free `.bak` name, unless the newest backup is the same. Returns its name. */
  async backUp(): Promise<string | null> {
    if (!(await this.exists())) return null;
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

function parse(text: string): Record<string, string> {
  try {
    return getProperties(text);
  } catch (error) {
    throw broken(`cannot be understood: ${(error as Error).message}`);
  }
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
