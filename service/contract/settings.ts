import { z } from 'zod';
import { HostMessage } from './host-message.ts';
import { bytes, endpoint, token } from './endpoint.ts';
import { logAreas, logLevels } from './log-areas.ts';

export const LogLevel = z.enum(logLevels);
export type LogLevel = z.output<typeof LogLevel>;

export const LogArea = z.enum(logAreas);
export type LogArea = z.output<typeof LogArea>;

export const PermissionMode = z.enum(['ask-for-approval', 'approve-for-me', 'full-access']);
export type PermissionMode = z.output<typeof PermissionMode>;

export const HookEvent = z.enum([
  'pre_tool_use',
  'post_tool_use',
  'post_tool_use_failure',
  'run_complete',
  'run_error',
]);

const hookFields = {
  name: z.string().min(1).max(200),
  event: HookEvent,
  matcher: z.string().max(2_000).default(''),
  timeoutSeconds: z.number().positive().max(3_600).default(60),
  enabled: z.boolean().default(true),
  /** For `pre_tool_use`: true if a failure of the hook denies the call. */
  failClosed: z.boolean().optional(),
};
export const Hook = z.discriminatedUnion('type', [
  z.strictObject({
    ...hookFields,
    type: z.literal('command'),
    command: z.string().min(1).max(32_768),
  }),
  z.strictObject({ ...hookFields, type: z.literal('http'), url: z.url({ protocol: /^https?$/ }) }),
]);

const rules = z.string().max(262_144);
const HttpBase = z.union([z.literal(''), z.url({ protocol: /^https?$/ })]);

/** All writable settings. Every key has a default, so a fresh installation returns all of them. */
export const WritableSettings = z.strictObject({
  theme: z.enum(['light', 'dark']).default('light'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'field.languageTag')
    .default('en'),
  sidebarCollapsed: z.boolean().default(false),
  logLevel: LogLevel.default('INFO'),
  /** Areas whose level differs from `logLevel`; a change replaces all of them. */
  logLevels: z.partialRecord(LogArea, LogLevel).default({}),
  updateApiBase: HttpBase.default(''),
  computerUseEnabled: z.boolean().default(true),
  unsandboxedPlugins: z.boolean().default(false),
  requirePluginChecksum: z.boolean().default(false),
  /** True if `.host/dev.json` lets the plugin kit install plugins under development. */
  developerMode: z.boolean().default(false),
  permissionMode: PermissionMode.default('ask-for-approval'),
  permissionRules: z
    .strictObject({ deny: rules.default(''), ask: rules.default(''), allow: rules.default('') })
    .default({ deny: '', ask: '', allow: '' }),
  hooks: z.array(Hook).max(1_000).default([]),
  memoryEnabled: z.boolean().default(false),
  openAtLogin: z.boolean().default(false),
  keepInTray: z.boolean().default(false),
  /** Desktop: keeps the computer awake while a run is active. */
  keepAwake: z.boolean().default(true),
  /** Desktop: stores the key of this machine in the keyring of the system instead of a file. */
  keyInKeyring: z.boolean().default(false),
  /** Desktop: disables GPU acceleration from the next start. */
  disableGpu: z.boolean().default(false),
  /** Desktop: allows Chromium to download spelling dictionaries from its vendor. */
  spellcheckDownloads: z.boolean().default(false),
  /** Days after which ended runs are deleted with their events; 0: never. */
  runRetentionDays: z.int().min(0).max(3_650).default(0),
  mcpSamplingEnabled: z.boolean().default(false),
  pinnedPlugins: z.array(z.string().max(128)).max(1_000).default([]),
  /** Folder for commands; empty: `.host/workspace`. */
  workspaceDirectory: z.string().max(4_096).default(''),
  webSearch: z
    .strictObject({
      provider: z.enum(['none', 'searxng', 'brave', 'tavily']).default('none'),
      baseUrl: HttpBase.default(''),
      /**
       * Masked with `***` in every response; a masked value in a request leaves the key unchanged.
       */
      apiKey: z.string().max(4_096).default(''),
    })
    .default({ provider: 'none', baseUrl: '', apiKey: '' }),
});
export type WritableSettings = z.output<typeof WritableSettings>;

/** In nested objects, only the keys that are present change. */
export const SettingsPatch = z.strictObject({
  ...Object.fromEntries(
    Object.entries(WritableSettings.shape).map(([key, schema]) => [key, patchOf(schema)]),
  ),
  /** Ignored, so that the response of `GET` can be sent back. */
  computerUse: z.unknown().optional().meta({ readOnly: true }),
}) as unknown as z.ZodType<SettingsPatch>;
/**
 * Changed settings; absent keys keep their values, in `permissionRules` and `webSearch` as well.
 */
export interface SettingsPatch extends Partial<
  Omit<WritableSettings, 'permissionRules' | 'webSearch'>
> {
  permissionRules?: Partial<WritableSettings['permissionRules']>;
  webSearch?: Partial<WritableSettings['webSearch']>;
  computerUse?: unknown;
}

function patchOf(schema: z.ZodDefault): z.ZodType {
  const inner = schema.unwrap() as z.ZodType;
  if (!(inner instanceof z.ZodObject)) return inner.optional();
  const shape: Record<string, z.ZodDefault> = inner.shape;
  const fields = Object.entries(shape);
  return z
    .strictObject(Object.fromEntries(fields.map(([key, field]) => [key, patchOf(field)])))
    .optional();
}

export const ComputerUseProbe = z.object({
  available: z.boolean(),
  reason: z.string(),
  reasonMessage: HostMessage.optional(),
});

export const Settings = WritableSettings.extend({ computerUse: ComputerUseProbe.nullable() });
export type Settings = z.output<typeof Settings>;

/** A copy of the embedded database, made before an upgrade or a restore; newest first. */
export const Snapshot = z.object({
  /** Argument of `--restore-snapshot`. */
  name: z.string(),
  createdAt: z.string(),
  /** Schema version: the last applied migration; `unknown` if it was not read. */
  fromVersion: z.string(),
  sizeBytes: z.number(),
});
export type Snapshot = z.output<typeof Snapshot>;

export const settings = {
  get: endpoint({
    method: 'GET',
    path: '/api/settings',
    access: token,
    summary: 'All settings',
    reply: Settings,
  }),
  put: endpoint({
    method: 'PUT',
    path: '/api/settings',
    access: token,
    summary: 'Change the settings that are in the body',
    body: SettingsPatch,
    reply: Settings,
    problems: ['invalid_rules'],
  }),
  resetDatabase: endpoint({
    method: 'POST',
    path: '/api/settings/database/reset',
    access: token,
    summary: 'Keep a backup of the database configuration, clear it, return to SETUP',
    reply: z.object({ backup: z.string().nullable() }),
  }),
  snapshots: endpoint({
    method: 'GET',
    path: '/api/settings/snapshots',
    access: token,
    summary: 'The snapshots of the embedded database that can be restored at a start',
    reply: z.array(Snapshot),
  }),
  backup: endpoint({
    method: 'POST',
    path: '/api/settings/backup',
    access: token,
    summary:
      'A zip of configuration, embedded database, plugins and their data; no secret in clear',
    reply: bytes('application/zip'),
    problems: ['backup_running', 'disk_full'],
  }),
} as const;
