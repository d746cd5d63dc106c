import { z } from 'zod';
import { HostMessage } from './host-message.ts';
import { endpoint, setup as setupAccess, setupOrToken } from './endpoint.ts';

export const DatabaseType = z.enum(['H2', 'SQLITE', 'MYSQL', 'POSTGRESQL']);
export type DatabaseType = z.output<typeof DatabaseType>;

/** Parts of the data in a working directory or a database. */
const hostParts = [
  'plugins',
  'plugin_states',
  'plugin_files',
  'plugin_databases',
  'workspace',
  'settings',
  'models',
  'conversations',
  'workflows',
  'runs',
  'schedules',
  'mcp_servers',
  'sources',
  'trust',
  'memories',
  'notifications',
  'grants',
] as const;
export const HostPart = z.enum(hostParts);
export type HostPart = z.output<typeof HostPart>;

/**
 * The working directory uses another database than before: which data was kept and which was not.
 */
export const DatabaseChange = z.object({
  from: DatabaseType,
  to: DatabaseType,
  carriedOver: z.array(HostPart),
  /** Stays in the previous database, except grants, which are removed. */
  leftBehind: z.array(HostPart),
});
export type DatabaseChange = z.output<typeof DatabaseChange>;

const embedded: readonly DatabaseType[] = ['H2', 'SQLITE'];
const inDirectory: readonly HostPart[] = ['plugins', 'plugin_states', 'plugin_files', 'workspace'];

/**
 * Returns the consequences of a change of database. A plugin's own database is only a file next to
 * an embedded one.
 */
export function databaseChange(from: DatabaseType, to: DatabaseType): DatabaseChange {
  const carriedOver = hostParts.filter((part) =>
    part === 'plugin_databases' ? from === to && embedded.includes(to) : inDirectory.includes(part),
  );
  const leftBehind = hostParts.filter((part) => !carriedOver.includes(part));
  return { from, to, carriedOver, leftBehind };
}

export const SetupStatus = z.object({
  initialized: z.boolean(),
  supportedTypes: z.array(DatabaseType),
  embeddedTypes: z.array(DatabaseType),
  /** Reason why the service left APP mode or could not enter it. */
  reason: z
    .object({
      code: z.string(),
      message: z.string(),
      text: HostMessage.optional(),
      at: z.string(),
    })
    .optional(),
  /** The previous configuration, which can be restored, and the file name of its backup. */
  previous: z
    .object({
      type: DatabaseType,
      backup: z.string(),
      /** By type of database: the parts of the data that a change keeps. */
      carryOver: z
        .array(z.object({ type: DatabaseType, text: z.string(), textMessage: HostMessage }))
        .optional(),
    })
    .optional(),
  /** In APP mode: set if this process started with another database than the previous one. */
  databaseChange: DatabaseChange.optional(),
});
export type SetupStatus = z.output<typeof SetupStatus>;

export const DatabaseForm = z.object({
  type: DatabaseType,
  label: z.string(),
  embedded: z.boolean(),
  /** Reason why this type cannot be used on this machine; text for a person. */
  unavailable: z.string().optional(),
  unavailableMessage: HostMessage.optional(),
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      kind: z.enum(['text', 'number', 'password', 'path', 'switch']),
      required: z.boolean(),
      default: z.union([z.string(), z.number(), z.boolean()]).optional(),
      placeholder: z.string().optional(),
    }),
  ),
});
export type DatabaseForm = z.output<typeof DatabaseForm>;

const portRange = 'field.port';

export const DatabaseParams = z.strictObject({
  filePath: z.string().max(4_096).optional(),
  host: z.string().max(255).optional(),
  port: z.int().min(1, portRange).max(65_535, portRange).optional(),
  database: z.string().max(255).optional(),
  username: z.string().max(255).optional(),
  password: z.string().max(4_096).optional(),
  /** Encrypts the connection; the certificate is checked only with `sslCa`. */
  ssl: z.boolean().optional(),
  /** A PEM file that verifies the certificate and host name of the server. Implies `ssl`. */
  sslCa: z.string().max(4_096).optional(),
});
export type DatabaseParams = z.output<typeof DatabaseParams>;

export const DatabaseChoice = z.strictObject({
  type: DatabaseType,
  params: DatabaseParams.default({}),
});
export type DatabaseChoice = z.output<typeof DatabaseChoice>;

export const ConnectionTest = z.object({
  success: z.boolean(),
  message: z.string().optional(),
  text: HostMessage.optional(),
  serverVersion: z.string().optional(),
  elapsedMs: z.number(),
});
export type ConnectionTest = z.output<typeof ConnectionTest>;

/** These routes need no token, so their bodies are small. */
const maxBodyBytes = 64 * 1024;

export const setup = {
  status: endpoint({
    method: 'GET',
    path: '/api/setup/status',
    access: setupAccess,
    summary: 'Whether a database is configured, and which can be',
    reply: SetupStatus,
  }),
  types: endpoint({
    method: 'GET',
    path: '/api/setup/types',
    access: setupAccess,
    summary: 'The form of every database type',
    reply: z.array(DatabaseForm),
  }),
  testConnection: endpoint({
    method: 'POST',
    path: '/api/setup/test-connection',
    access: setupAccess,
    summary: 'Try a database; nothing is stored',
    body: DatabaseChoice,
    maxBodyBytes,
    reply: ConnectionTest,
    problems: ['already_initialized'],
  }),
  initialize: endpoint({
    method: 'POST',
    path: '/api/setup/initialize',
    access: setupAccess,
    summary: 'Try the database again, store the configuration and change to APP mode',
    body: DatabaseChoice,
    maxBodyBytes,
    reply: SetupStatus,
    problems: ['already_initialized', 'connection_failed'],
  }),
  continue: endpoint({
    method: 'POST',
    path: '/api/setup/continue',
    access: setupAccess,
    summary: 'Try the kept configuration again and return to APP mode',
    reply: SetupStatus,
    problems: ['already_initialized', 'connection_failed', 'nothing_to_continue'],
  }),
  clear: endpoint({
    method: 'DELETE',
    path: '/api/setup/config',
    access: setupOrToken,
    summary: 'Keep a backup of the database configuration, clear it, return to SETUP',
  }),
} as const;
