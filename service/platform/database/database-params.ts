import { join, resolve } from 'node:path';
import { HostError } from '../../core/host-error.ts';
import { type Message, msg } from '../../messages/index.ts';
import type { DatabaseConfig, DatabaseType } from './database-config.ts';
import { databaseTypes } from './database-types.ts';
import { hostOf, isDatabaseName } from './server-address.ts';

/** Values of the setup form; the type decides which are required. */
export interface DatabaseParams {
  filePath?: string | undefined;
  host?: string | undefined;
  port?: number | undefined;
  database?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  ssl?: boolean | undefined;
  sslCa?: string | undefined;
}

interface Folders {
  workDirectory: string;
  database: string;
}

/** Converts form values to a configuration. @throws HostError 400 for a missing or invalid field */
export function configOf(
  type: DatabaseType,
  params: DatabaseParams,
  folders: Folders,
): DatabaseConfig {
  return databaseTypes[type].embedded
    ? embeddedConfig(type, params, folders)
    : serverConfig(type, params, folders);
}

function embeddedConfig(
  type: DatabaseType,
  params: DatabaseParams,
  folders: Folders,
): DatabaseConfig {
  const { extension = '', defaultUser } = databaseTypes[type];
  const rawPath = oneLine('filePath', params.filePath);
  // In a URL of H2, `;` starts the parameters.
  if (type === 'H2' && rawPath.includes(';'))
    throw wrongField('filePath', msg('databaseForm.noSemicolon'));
  const filePath =
    rawPath === ''
      ? join(folders.database, `host${extension}`)
      : resolve(folders.workDirectory, rawPath);
  if (defaultUser === undefined) return { type, filePath };
  const { password = '' } = params;
  return { type, filePath, username: params.username || defaultUser, password };
}

function serverConfig(
  type: DatabaseType,
  params: DatabaseParams,
  folders: Folders,
): DatabaseConfig {
  const { port = databaseTypes[type].defaultPort, password = '', ssl = false } = params;
  const [name, database, username] = (['host', 'database', 'username'] as const).map((each) =>
    required(each, params),
  ) as [string, string, string];
  const host = hostOf(name.trim());
  if (host === null) throw wrongField('host', msg('databaseForm.notHost'));
  if (!isDatabaseName(database)) {
    throw wrongField('database', msg('databaseForm.notDatabaseName'));
  }
  oneLine('username', username);
  const config = { type, host, port, database, username, password, ssl };
  const sslCa = oneLine('sslCa', params.sslCa);
  if (sslCa === '') return config;
  // A certificate implies a verified connection.
  return { ...config, ssl: true, sslCa: resolve(folders.workDirectory, sslCa) };
}

function required(name: 'host' | 'database' | 'username', params: DatabaseParams): string {
  const text = params[name] ?? '';
  if (text.trim() === '') throw wrongField(name, msg('databaseForm.required'));
  return text;
}

function oneLine(name: keyof DatabaseParams, text = ''): string {
  if (/[\0\r\n\p{Cs}]/u.test(text)) throw wrongField(name, msg('databaseForm.notOneLine'));
  return text.trim();
}

function wrongField(name: keyof DatabaseParams, message: Message): HostError {
  return new HostError(
    'invalid',
    'invalid_body',
    msg('databaseForm.invalid', { path: `params.${name}`, problem: message }),
    { errors: [{ path: `params.${name}`, message }] },
  );
}
