import { percentDecoded } from '../../core/percent-decoded.ts';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DatabaseConfig, DatabaseType } from './database-config.ts';
import { databaseTypes } from './database-types.ts';
import { type H2Folding, h2PathOf } from './h2/h2-file.ts';
import { hostOf, isDatabaseName } from './server-address.ts';

/** Parts of the JDBC URL of a server; user and password only if the URL contains them. */
export interface ServerUrl {
  host: string;
  port: number;
  database: string;
  username?: string;
  password?: string;
  ssl: boolean;
  sslCa?: string;
}

const schemes: Partial<Record<DatabaseType, readonly string[]>> = {
  MYSQL: ['mysql', 'mariadb'],
  POSTGRESQL: ['postgresql'],
};

/**
 * Values of PostgreSQL, MySQL and MariaDB for the encryption of a connection, in lower case with
 * hyphens.
 */
const sslModes: Readonly<Record<string, boolean>> = {
  disable: false,
  disabled: false,
  allow: false,
  prefer: false,
  preferred: false,
  require: true,
  required: true,
  trust: true,
  'verify-ca': true,
  'verify-full': true,
  'verify-identity': true,
};

export function jdbcUrlOf(config: DatabaseConfig): string {
  const { jdbc, embedded } = databaseTypes[config.type];
  if (embedded) return `${jdbc.prefix}${pathInUrl(config)}`;
  const { host = '', port = '', database = '' } = config;
  const location = `${host.includes(':') ? `[${host}]` : host}:${port}/${encoded(database)}`;
  return `${jdbc.prefix}//${location}${sslParameters(config)}`;
}

const pathInUrl = ({ type, filePath = '' }: DatabaseConfig): string =>
  type === 'H2' ? h2PathOf(filePath) : filePath;

const foldingSetting = /;DATABASE_TO_(LOWER|UPPER)=([^;]*)/gi;

/** Returns how H2 folds unquoted names in a file that is created with this URL. */
export function foldingOf(url: string): H2Folding {
  const isLower = [...url.matchAll(foldingSetting)].some(
    ([, name, value = '']) => /^lower$/i.test(name ?? '') && /^(true|t|yes|y|1)$/i.test(value),
  );
  return isLower ? 'lower' : 'upper';
}

/**
 * Returns the URL of an H2 file with the setting for its folding; a correct URL stays unchanged.
 */
export function withFolding(url: string, folding: H2Folding): string {
  if (foldingOf(url) === folding) return url;
  const bare = url.replace(foldingSetting, '');
  return folding === 'lower' ? `${bare};DATABASE_TO_LOWER=TRUE` : bare;
}

/** Replaces the path in the URL of an H2 file; its settings stay. */
export function withH2Path(url: string, filePath: string): string {
  const settings = url.slice((/;|$/.exec(url) ?? { index: url.length }).index);
  return `${databaseTypes.H2.jdbc.prefix}${h2PathOf(filePath)}${settings}`;
}

function sslParameters({ type, ssl, sslCa }: DatabaseConfig): string {
  if (!ssl) return '';
  if (type === 'MYSQL') {
    return sslCa === undefined
      ? '?sslMode=REQUIRED'
      : `?sslMode=VERIFY_IDENTITY&serverSslCert=${encoded(sslCa)}`;
  }
  return sslCa === undefined
    ? '?sslmode=require'
    : `?sslmode=verify-full&sslrootcert=${encoded(sslCa)}`;
}

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%2F', '/');

/** Null if it is not a URL of this type, or one that cannot be used. */
export function readServerUrl(type: DatabaseType, url: string): ServerUrl | null {
  const { scheme, user, location, query } = splitUrl(url);
  if (!schemes[type]?.includes(scheme)) return null;
  const decode = decoder(type);
  const address = readLocation(location, decode);
  const parameters = parametersOf(query, decode);
  const ssl = isEncrypted(parameters);
  if (address === null || ssl === null) return null;
  const port = address.port ?? databaseTypes[type].defaultPort ?? 0;
  const texts = {
    username: parameters.get('user') ?? user.name,
    password: parameters.get('password') ?? user.password,
    sslCa: ssl ? (parameters.get('sslrootcert') ?? parameters.get('serversslcert')) : '',
  };
  const found = Object.entries(texts).filter(([, text]) => text);
  return { ...address, port, ssl, ...Object.fromEntries(found) };
}

/**
 * `jdbc:<scheme>://<user>@<location>?<query>`; without the slashes, the location is a database of
 * this machine.
 */
function splitUrl(url: string): {
  scheme: string;
  user: { name: string; password: string };
  location: string;
  query: string;
} {
  const [, scheme = '', slashes, rest = '', query = ''] =
    /^jdbc:([a-z]+):(\/\/)?([^?]*)\??(.*)$/is.exec(url) ?? [];
  if (slashes === undefined) {
    const noUser = { name: '', password: '' };
    return { scheme: scheme.toLowerCase(), user: noUser, location: `/${rest}`, query };
  }
  const at = rest.lastIndexOf('@');
  const [, name = '', password = ''] =
    /^([^:]*):?(.*)$/s.exec(rest.slice(0, Math.max(at, 0))) ?? [];
  return {
    scheme: scheme.toLowerCase(),
    user: { name: percentDecoded(name), password: percentDecoded(password) },
    location: rest.slice(at + 1),
    query,
  };
}

interface ServerLocation {
  host: string;
  port: number | null;
  database: string;
}

/** `<host>:<port>/<database>` */
function readLocation(text: string, decode: (text: string) => string): ServerLocation | null {
  const [, name, digits, rest = ''] =
    /^(\[[^\]]*\]|[^:/]*)(?::(\d{1,5}))?\/(.*)$/s.exec(text) ?? [];
  if (name === undefined) return null;
  const host = hostOf(name === '' ? 'localhost' : name);
  const port = digits === undefined ? null : Number(digits);
  const database = decode(rest.split(';', 1)[0] ?? '');
  if (host === null || port === 0 || (port ?? 1) > 65_535) return null;
  return isDatabaseName(database) ? { host, port, database } : null;
}

function parametersOf(query: string, decode: (text: string) => string): Map<string, string> {
  const pairs = query.split('&').map((pair): [string, string] => {
    const [, key = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    return [decode(key).toLowerCase(), decode(value)];
  });
  return new Map(pairs);
}

/** Null for an unknown mode: a typing error must not disable encryption. */
function isEncrypted(parameters: Map<string, string>): boolean | null {
  const mode = parameters.get('sslmode');
  if (mode) return sslModes[mode.toLowerCase().replaceAll('_', '-')] ?? null;
  return ['ssl', 'usessl', 'requiressl'].some((key) =>
    /^(|true|yes|on|1)$/i.test(parameters.get(key) ?? 'false'),
  );
}

/** Returns a decoder that works like the driver: PostgreSQL's decodes a plus as a blank. */
function decoder(type: DatabaseType): (text: string) => string {
  return type === 'POSTGRESQL'
    ? (text) => percentDecoded(text.replaceAll('+', ' '))
    : percentDecoded;
}

/** Returns the URL without its password. URLs of SQLite contain none. */
export function withoutPassword(url: string): string {
  if (/^jdbc:sqlite:/i.test(url)) return url;
  if (/^jdbc:h2:/i.test(url)) return url.replace(/;password=(?:\\.|[^;\\])*/gi, '');
  const [, head = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(url) ?? [];
  const remaining = query?.split('&').filter((pair) => !/^password(=|$)/i.test(pair));
  const location = head.replace(
    /^(jdbc:[a-z]+:\/\/)([^:/]*):.*@/is,
    (_, start: string, user: string) => `${start}${user === '' ? '' : `${user}@`}`,
  );
  return remaining === undefined || remaining.length === 0
    ? location
    : `${location}?${remaining.join('&')}`;
}

/** Returns user and password from the settings in the URL of an H2 file. */
export function userOfH2Url(url: string): { username?: string; password?: string } {
  const valueOf = (key: string): string | undefined =>
    new RegExp(`;${key}=((?:\\\\.|[^;\\\\])*)`, 'i').exec(url)?.[1]?.replace(/\\(.)/g, '$1');
  return { username: valueOf('user'), password: valueOf('password') };
}

/**
 * Returns the file of an embedded JDBC URL. Parameters after `;` or `?` are ignored, but a path can
 * contain these characters as well: if the URL's path starts with `db.file.path`, that path is
 * used.
 */
export function fileOfJdbcUrl(
  type: DatabaseType,
  keys: { url: string; filePath: string | undefined },
  workDirectory: string,
): string | null {
  const rest = locationInUrl(type, keys.url);
  if (rest === null) return null;
  const { extension = '' } = databaseTypes[type];
  const { filePath } = keys;
  if (filePath && rest.startsWith(filePath)) {
    return resolve(
      workDirectory,
      rest.startsWith(filePath + extension) ? filePath + extension : filePath,
    );
  }
  const path = rest.split(type === 'H2' ? ';' : /[;?]/, 1)[0] ?? '';
  if (path === '') return null;
  return type === 'H2' && /^~[/\\]/.test(path)
    ? join(homedir(), path.slice(2))
    : resolve(workDirectory, path);
}

/**
 * Returns the text after the prefix. The word `file:` is optional for H2; its other kinds of
 * location are not supported.
 */
function locationInUrl(type: DatabaseType, url: string): string | null {
  const { prefix } = databaseTypes[type].jdbc;
  if (url.startsWith(prefix)) return url.slice(prefix.length);
  const [, rest] =
    /^jdbc:h2:(?!(?:mem|tcp|ssl|zip|nio|nioMapped|split|async|memFS):)(.+)$/is.exec(
      type === 'H2' ? url : '',
    ) ?? [];
  return rest ?? null;
}
