import { join, resolve } from 'node:path';
import { HostError } from '../../core/host-error.ts';
import type { DatabaseConfig, DatabaseType } from './database-config.ts';

export interface DatabaseTypeInfo {
  label: string;
  embedded: boolean;
  /** The names that `datasource.properties` asks for. */
  jdbc: { prefix: string; driver: string; dialect: string };
  defaultPort?: number;
  /** Appended to the default file of an embedded type. */
  extension?: string;
  /** Why it cannot be used, in words for a person. */
  unavailable?: string;
}

const notYet = (label: string): string => `This release cannot use ${label} yet. Choose SQLite.`;

export const databaseTypes: Record<DatabaseType, DatabaseTypeInfo> = {
  H2: {
    label: 'H2',
    embedded: true,
    jdbc: {
      prefix: 'jdbc:h2:file:',
      driver: 'org.h2.Driver',
      dialect: 'org.hibernate.dialect.H2Dialect',
    },
    extension: '',
    unavailable: notYet('H2'),
  },
  SQLITE: {
    label: 'SQLite',
    embedded: true,
    jdbc: {
      prefix: 'jdbc:sqlite:',
      driver: 'org.sqlite.JDBC',
      dialect: 'org.hibernate.community.dialect.SQLiteDialect',
    },
    extension: '.db',
  },
  MYSQL: {
    label: 'MySQL',
    embedded: false,
    jdbc: {
      prefix: 'jdbc:mysql:',
      driver: 'com.mysql.cj.jdbc.Driver',
      dialect: 'org.hibernate.dialect.MySQLDialect',
    },
    defaultPort: 3306,
    unavailable: notYet('MySQL'),
  },
  POSTGRESQL: {
    label: 'PostgreSQL',
    embedded: false,
    jdbc: {
      prefix: 'jdbc:postgresql:',
      driver: 'org.postgresql.Driver',
      dialect: 'org.hibernate.dialect.PostgreSQLDialect',
    },
    defaultPort: 5432,
    unavailable: notYet('PostgreSQL'),
  },
};

export const supportedTypes = Object.keys(databaseTypes) as DatabaseType[];
export const embeddedTypes = supportedTypes.filter((type) => databaseTypes[type].embedded);

/** What a person filled in. */
export interface DatabaseParams {
  filePath?: string | undefined;
  host?: string | undefined;
  port?: number | undefined;
  database?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  ssl?: boolean | undefined;
}

/** Turns form values into a configuration. Throws 400 naming the field that is missing. */
export function configOf(
  type: DatabaseType,
  params: DatabaseParams,
  folders: { workDirectory: string; database: string },
): DatabaseConfig {
  const info = databaseTypes[type];
  if (info.embedded) {
    const given = params.filePath?.trim() ?? '';
    if (/[\0\r\n]/.test(given)) throw missingField('filePath', 'must be one line');
    const filePath =
      given === ''
        ? join(folders.database, `host${info.extension ?? ''}`)
        : resolve(folders.workDirectory, given);
    return { type, filePath };
  }
  for (const name of ['host', 'database', 'username'] as const) {
    if ((params[name] ?? '').trim() === '') throw missingField(name, 'is required');
  }
  const { host, database, username, password, ssl } = params;
  return {
    type,
    host,
    port: params.port ?? info.defaultPort,
    database,
    username,
    password,
    ssl,
  };
}

function missingField(name: string, message: string): HostError {
  return new HostError(
    'invalid',
    'invalid_body',
    `The request is not valid. params.${name} ${message}.`,
    {
      errors: [{ path: `params.${name}`, message }],
    },
  );
}

export function jdbcUrlOf(config: DatabaseConfig): string {
  const { jdbc, embedded } = databaseTypes[config.type];
  if (embedded) return `${jdbc.prefix}${config.filePath ?? ''}`;
  return `${jdbc.prefix}//${config.host ?? ''}:${config.port ?? ''}/${config.database ?? ''}`;
}

/**
 * The file an embedded JDBC URL names. Parameters behind `;` or `?` are other hosts' business, but a
 * path may hold these characters as well: where `db.file.path` begins the URL's path, it is believed.
 */
export function fileOfJdbcUrl(
  type: DatabaseType,
  keys: { url: string; filePath: string | undefined },
  workDirectory: string,
): string | null {
  const { jdbc, extension = '' } = databaseTypes[type];
  if (!keys.url.startsWith(jdbc.prefix)) return null;
  const rest = keys.url.slice(jdbc.prefix.length);
  const { filePath } = keys;
  if (filePath && rest.startsWith(filePath)) {
    return resolve(
      workDirectory,
      rest.startsWith(filePath + extension) ? filePath + extension : filePath,
    );
  }
  const path = rest.split(/[;?]/, 1)[0] ?? '';
  return path === '' ? null : resolve(workDirectory, path);
}
