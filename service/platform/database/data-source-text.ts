import { resolve } from 'node:path';
import { getProperties } from 'properties-file';
import { HostError } from '../../core/host-error.ts';
import { type Message, msg } from '../../messages/index.ts';
import { isSealed } from '../secrets.ts';
import type { DatabaseConfig, DatabaseType } from './database-config.ts';
import { databaseTypes } from './database-types.ts';
import {
  fileOfJdbcUrl,
  foldingOf,
  jdbcUrlOf,
  readServerUrl,
  userOfH2Url,
  withFolding,
  withH2Path,
  withoutPassword,
} from './jdbc-url.ts';
import { withKey, withValues } from './properties-text.ts';

/** The content of `datasource.properties`; `password` is as in the file, encrypted or not. */
export interface ReadConfig {
  config: DatabaseConfig;
  password: string;
}

/**
 * Parses the file; relative paths in it are resolved against the working directory.
 * @throws HostError `broken_configuration`
 */
export function readConfigText(text: string, workDirectory: string): ReadConfig {
  const keys = keysOf(text);
  if (keys === null) throw broken(msg('databaseConfig.notUnderstood'));
  const type = typeOf(keys);
  if (type === undefined) {
    const named = (keys['db.type'] ?? '').trim().slice(0, 40);
    throw broken(
      named ? msg('databaseConfig.unknownType', { type: named }) : msg('databaseConfig.noType'),
    );
  }
  return databaseTypes[type].embedded
    ? readEmbedded(type, keys, workDirectory)
    : readServer(type, keys, workDirectory);
}

function readEmbedded(
  type: DatabaseType,
  keys: Record<string, string>,
  workDirectory: string,
): ReadConfig {
  const input = { url: keys['db.url'] ?? '', filePath: keys['db.file.path'] };
  const filePath = fileOfJdbcUrl(type, input, workDirectory) ?? input.filePath;
  if (!filePath) throw broken(msg('databaseConfig.noFile'));
  const config: DatabaseConfig = { type, filePath };
  if (type === 'H2' && foldingOf(input.url) === 'upper') config.folding = 'upper';
  const { defaultUser } = databaseTypes[type];
  if (defaultUser === undefined) return { config, password: '' };
  const inUrl = userOfH2Url(input.url);
  config.username = keys['db.username'] || inUrl.username || defaultUser;
  return { config, password: keys['db.password'] || (inUrl.password ?? '') };
}

function readServer(
  type: DatabaseType,
  keys: Record<string, string>,
  workDirectory: string,
): ReadConfig {
  const found = readServerUrl(type, keys['db.url'] ?? '');
  if (found === null) throw broken(msg('databaseConfig.noUrl'));
  const { username = '', password = '', ...address } = found;
  const config: DatabaseConfig = { type, ...address };
  config.username = keys['db.username'] || username;
  if (found.sslCa !== undefined) config.sslCa = resolve(workDirectory, found.sslCa);
  return { config, password: keys['db.password'] || password };
}

/**
 * Encrypts a plain text password in its key or in the URL. A text without a supported type stays
 * unchanged.
 */
export function withSealedPassword(text: string, seal: (password: string) => string): string {
  const keys = keysOf(text);
  if (keys === null || typeOf(keys) === undefined) return text;
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

/** Changes the file of an embedded database; settings in the URL stay. */
export function withDatabaseFile(text: string, type: DatabaseType, filePath: string): string {
  const keys = fileKeysOf({ type, filePath });
  const change = (key: string, value: string): string =>
    key === 'db.url' && type === 'H2' ? withH2Path(value, filePath) : (keys[key] ?? value);
  return Object.entries(keys).reduce(
    (result, [key, value]) =>
      key in (keysOf(result) ?? {}) ? result : withKey(result, key, value),
    withValues(text, change),
  );
}

/** The keys that contain the file of an embedded database. */
export function fileKeysOf({ type, filePath = '' }: DatabaseConfig): Record<string, string> {
  const { extension = '' } = databaseTypes[type];
  const plain = extension !== '' && filePath.endsWith(extension);
  const url = jdbcUrlOf({ type, filePath });
  return {
    // A new H2 file folds names to lower case, like the names of the host.
    'db.url': type === 'H2' ? withFolding(url, 'lower') : url,
    'db.file.path': plain ? filePath.slice(0, -extension.length) : filePath,
  };
}

/** Null if the text is not a properties file. */
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

export const broken = (text: Message): HostError =>
  new HostError('unprocessable', 'broken_configuration', text);
