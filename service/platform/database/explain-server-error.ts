import { HostError } from '../../core/host-error.ts';
import { type HostText, type Message, msg } from '../../messages/index.ts';
import type { DatabaseConfig } from './database-config.ts';
import { databaseTypes } from './database-types.ts';

/** Codes of Node, PostgreSQL (SQLSTATE) and MySQL, by their meaning. */
const meanings: Record<string, Meaning> = {
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'unknownHost',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'silent',
  EHOSTUNREACH: 'silent',
  ENETUNREACH: 'silent',
  PROTOCOL_SEQUENCE_TIMEOUT: 'silent',
  '28P01': 'wrongPassword',
  ER_ACCESS_DENIED_ERROR: 'wrongPassword',
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: 'wrongPassword',
  ER_NOT_SUPPORTED_AUTH_MODE: 'authMethod',
  AUTH_SWITCH_PLUGIN_ERROR: 'authMethod',
  '3D000': 'unknownDatabase',
  ER_BAD_DB_ERROR: 'unknownDatabase',
  '42501': 'noPermission',
  ER_DBACCESS_DENIED_ERROR: 'noPermission',
  ER_TABLEACCESS_DENIED_ERROR: 'noPermission',
  ER_COLUMNACCESS_DENIED_ERROR: 'noPermission',
  ER_SPECIFIC_ACCESS_DENIED_ERROR: 'noPermission',
  ER_OPTION_PREVENTS_STATEMENT: 'readOnly',
  ER_READ_ONLY_MODE: 'readOnly',
  ER_HOST_NOT_PRIVILEGED: 'notFromHere',
  ER_HOST_IS_BLOCKED: 'notFromHere',
  ER_SECURE_TRANSPORT_REQUIRED: 'tlsNeeded',
  HANDSHAKE_NO_SSL_SUPPORT: 'tlsMissing',
  '53300': 'full',
  ER_CON_COUNT_ERROR: 'full',
  ER_TOO_MANY_USER_CONNECTIONS: 'full',
  '57P03': 'starting',
  '57P01': 'starting',
  ER_SERVER_SHUTDOWN: 'starting',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  CERT_HAS_EXPIRED: 'expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'otherName',
};

type Meaning = keyof typeof messages;

const messages = {
  unknownHost: ({ host }: Named) => msg('databaseServer.unknownHost', { host }),
  refused: ({ host, port, label }: Named) => msg('databaseServer.refused', { host, port, label }),
  silent: ({ host, port }: Named) => msg('databaseServer.silent', { host, port }),
  wrongPassword: ({ username }: Named) => msg('databaseServer.wrongPassword', { username }),
  authMethod: ({ username }: Named) => msg('databaseServer.authMethod', { username }),
  unknownDatabase: ({ database }: Named) => msg('databaseServer.unknownDatabase', { database }),
  noPermission: ({ username, database }: Named) =>
    msg('databaseServer.noPermission', { username, database }),
  readOnly: ({ username }: Named) => msg('databaseServer.readOnly', { username }),
  notFromHere: ({ username }: Named) => msg('databaseServer.notFromHere', { username }),
  tlsNeeded: () => msg('databaseServer.tlsNeeded'),
  tlsMissing: () => msg('databaseServer.tlsMissing'),
  full: () => msg('databaseServer.full'),
  starting: () => msg('databaseServer.starting'),
  untrusted: () => msg('databaseServer.untrusted'),
  expired: () => msg('databaseServer.expired'),
  otherName: ({ host }: Named) => msg('databaseServer.otherName', { host }),
} satisfies Record<string, (named: Named) => Message>;

interface Named {
  label: string;
  host: string;
  port: string;
  database: string;
  username: string;
}

/** Returns a description of the error with advice. Never contains a password. */
export function explainServerError(error: unknown, config: DatabaseConfig): HostText {
  if (error instanceof HostError) return error.text;
  const { code, message } = causeOf(error);
  const meaning = meaningOf(code, message);
  const named = namesOf(config);
  const { label, username } = named;
  // A MySQL server may refuse the password only because TLS is missing.
  if (meaning === 'wrongPassword' && config.type === 'MYSQL' && !config.ssl)
    return msg('databaseServer.wrongPasswordOrNoTls', { username });
  if (meaning) return messages[meaning](named);
  return code === ''
    ? msg('databaseServer.unusable', { label })
    : msg('databaseServer.unusableBecause', { label, code });
}

function namesOf(config: DatabaseConfig): Named {
  const { label } = databaseTypes[config.type];
  const { host, port, database, username } = config;
  return {
    label,
    host: host ?? '',
    port: String(port ?? ''),
    database: database ?? '',
    username: username ?? '',
  };
}

function meaningOf(code: string, message: string): Meaning | undefined {
  const meaning = meanings[code] ?? meaningOfText(message);
  // mysql2 has a single code for all certificate errors.
  return meaning ?? (code === 'HANDSHAKE_SSL_ERROR' ? 'untrusted' : undefined);
}

/** Returns true if the server refused the operation because of missing privileges. */
export const isRefusal = (error: unknown): boolean =>
  meanings[causeOf(error).code] === 'noPermission';

/** Some refusals have no code of their own in the drivers. */
function meaningOfText(message: string): Meaning | undefined {
  if (/pg_hba\.conf.*no encryption/i.test(message)) return 'tlsNeeded';
  if (/pg_hba\.conf/i.test(message)) return 'notFromHere';
  if (/altnames|not match certificate/i.test(message)) return 'otherName';
  if (/certificate has expired/i.test(message)) return 'expired';
  if (/does not support SSL/i.test(message)) return 'tlsMissing';
  if (/insecure transport/i.test(message)) return 'tlsNeeded';
  if (/timeout expired|timed? ?out/i.test(message)) return 'silent';
  if (/password must be a string|no password/i.test(message)) return 'wrongPassword';
  return undefined;
}

/** Unwraps the driver error from that of Sequelize. */
function causeOf(error: unknown): { code: string; message: string } {
  const { original, parent } = error as { original?: unknown; parent?: unknown };
  const inner = original ?? parent;
  if (inner) return causeOf(inner);
  const { code, message, errors } = error as Partial<NodeJS.ErrnoException & AggregateError>;
  // A name with several addresses fails with one error for each.
  if (code === undefined && Array.isArray(errors) && errors.length > 0) return causeOf(errors[0]);
  return { code: typeof code === 'string' ? code : '', message: message ?? '' };
}
