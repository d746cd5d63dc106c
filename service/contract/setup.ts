import { z } from 'zod';
import { HostMessage } from './host-message.ts';
import { endpoint, setup as setupAccess, setupOrToken } from './endpoint.ts';

export const DatabaseType = z.enum(['H2', 'SQLITE', 'MYSQL', 'POSTGRESQL']);
export type DatabaseType = z.output<typeof DatabaseType>;

/** What a working directory or a database holds. */
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

/** The working directory uses another database than before: what came along, and what did not. */
export const DatabaseChange = z.object({
  from: DatabaseType,
  to: DatabaseType,
  carriedOver: z.array(HostPart),
  /** It stays in the earlier database, but for grants, which end. */
  leftBehind: z.array(HostPart),
});
export type DatabaseChange = z.output<typeof DatabaseChange>;

const embedded: readonly DatabaseType[] = ['H2', 'SQLITE'];
const inDirectory: readonly HostPart[] = ['plugins', 'plugin_states', 'plugin_files', 'workspace'];

/** What changes with the database. A plugin's own database is a file only beside an embedded one. */
export function databaseChange(from: DatabaseType, to: DatabaseType): DatabaseChange {
  const carriedOver = hostParts.filter((part) =>
    part === 'plugin_databases' ? from === to && embedded.includes(to) : inDirectory.includes(part),
  );
  const notCarriedOver = hostParts.filter((part) => !carriedOver.includes(part));
  return { from, to, carriedOver, leftBehind: notCarriedOver };
}

export const SetupStatus = z.object({
  initialized: z.boolean(),
  supportedTypes: z.array(DatabaseType),
  embeddedTypes: z.array(DatabaseType),
  /** Why APP mode was left or could not be reached. */
  reason: z
    .object({
      code: z.string(),
      message: z.string(),
      text: HostMessage.optional(),
      at: z.string(),
    })
    .optional(),
  /** The configuration that can be gone back to, and the file name of its backup. */
  previous: z
    .object({
      type: DatabaseType,
      backup: z.string(),
      /** For each type of database: which parts of the earlier one a change keeps. */
      carryOver: z
        .array(z.object({ type: DatabaseType, text: z.string(), textMessage: HostMessage }))
        .optional(),
    })
    .optional(),
  /** In APP mode: since this start of the process another database is in use. */
  databaseChange: DatabaseChange.optional(),
});
export type SetupStatus = z.output<typeof SetupStatus>;

export const DatabaseForm = z.object({
  type: DatabaseType,
  label: z.string(),
  embedded: z.boolean(),
  /** Present when this type cannot be used on this machine, in words for a person. */
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
  /** Encrypted; without `sslCa` nobody checks whose certificate it is. */
  ssl: z.boolean().optional(),
  /** A PEM file: the certificate and the host name of the server are checked with it. Implies `ssl`. */
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

/** These routes need no token, so little is read for them. */
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
