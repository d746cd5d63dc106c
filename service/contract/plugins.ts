import { z } from 'zod';
import { endpoint, events, multipart, open, token } from './endpoint.ts';
import { PluginId, PluginManifest } from './manifest.ts';

export const PluginState = z.enum([
  'stopped',
  'starting',
  'running',
  'crashed',
  'quarantined',
  'missing_runtime',
]);
export type PluginState = z.output<typeof PluginState>;

export const PluginSource = z.enum(['OFFICIAL', 'THIRD_PARTY']);

/** Names of what a plugin brings beside its page and its worker. */
export const PluginContentNames = z.object({
  skills: z.array(z.string()),
  commands: z.array(z.string()),
  agents: z.array(z.string()),
  hooks: z.array(z.string()),
  mcpServers: z.array(z.string()),
});
export type PluginContentNames = z.output<typeof PluginContentNames>;

export const InstalledPluginDescriptor = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  category: z.string(),
  icon: z.string(),
  version: z.string(),
  /** Absolute loopback URL of the page; empty for a plugin without one. */
  uiEntry: z.string(),
  author: z.string(),
  permissions: z.array(z.string()),
  enabled: z.boolean(),
  iconStyle: z.literal('BLUE'),
  supportsAi: z.boolean(),
  source: PluginSource,
  state: PluginState,
  /** Why the worker is in that state, in words for a person. */
  stateReason: z.string().optional(),
  /** Bytes below the plugin's data directory; only in the single view. */
  dataSizeBytes: z.int().optional(),
  /** Absent where it brings none, or where it is not known before it is installed. */
  contents: PluginContentNames.optional(),
});
export type InstalledPluginDescriptor = z.output<typeof InstalledPluginDescriptor>;

export const MarketplacePlugin = InstalledPluginDescriptor.extend({
  keywords: z.array(z.string()),
  sourceId: z.string().nullable(),
  sourceName: z.string().nullable(),
  installed: z.boolean(),
  installedVersion: z.string().nullable(),
  updateAvailable: z.boolean(),
  /** Of a `.plugin` package its manifest; of an entry of another catalogue what that says of it. */
  manifest: z.union([PluginManifest, z.record(z.string(), z.unknown())]),
  /** Whether it can be installed from its source. */
  installable: z.boolean(),
  /** Why it cannot, as a sentence. */
  notInstallableReason: z.string().optional(),
  homepage: z.string().optional(),
  /** The git commit that is installed. */
  commit: z.string().optional(),
});
export type MarketplacePlugin = z.output<typeof MarketplacePlugin>;

export const PluginDetails = MarketplacePlugin.extend({
  /** Text of the installed plugin's README; at most 256 KiB. */
  readme: z.string().optional(),
  /** What can be installed now, newest first. */
  versions: z.array(z.string()).optional(),
  /** Of the package, or of the installed files. */
  sizeBytes: z.int().optional(),
});
export type PluginDetails = z.output<typeof PluginDetails>;

export const OperationStarted = z.object({ operationId: z.string() });

export const PackageInspection = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  installed: z.boolean(),
  installedVersion: z.string().nullable(),
  comparison: z.enum(['upgrade', 'downgrade', 'same']).nullable(),
  permissions: z.array(z.string()),
  /** Permissions that the installed copy does not hold. */
  addedPermissions: z.array(z.string()),
  official: z.boolean(),
  /** Whether it asks for a database of its own. */
  database: z.boolean(),
  sha256: z.string(),
  sizeBytes: z.int(),
});
export type PackageInspection = z.output<typeof PackageInspection>;

export const PluginCategory = z.object({ id: z.string(), labelKey: z.string(), icon: z.string() });

export const PluginLogEvent = z.object({
  /** ISO 8601, UTC. */
  timestamp: z.string(),
  level: z.string(),
  /** Null for lines that came from stderr. */
  logger: z.string().nullable(),
  thread: z.string().nullable(),
  message: z.string(),
  sequence: z.int(),
});
export type PluginLogEvent = z.output<typeof PluginLogEvent>;

export const InvokeRequest = z.object({
  /** Also a part of the path that cancels the call. */
  callId: z
    .string()
    .regex(/^(?!\.{1,2}$)[\w.:-]{1,200}$/, 'must be 1 to 200 letters, digits, _ . : or -'),
  method: z.string().min(1).max(200),
  params: z.unknown().optional(),
});

export const InvokeReply = z.union([
  z.object({ callId: z.string(), result: z.unknown() }),
  z.object({
    callId: z.string(),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  }),
]);
export type InvokeReply = z.output<typeof InvokeReply>;

const ById = z.object({ id: PluginId });
const NativePackage = z.strictObject({ path: z.string().min(1).max(4_096) });
const PackageFields = z.object({ sha256: z.string().max(4_096).optional() });

export const plugins = {
  categories: endpoint({
    method: 'GET',
    path: '/api/plugin-categories',
    access: token,
    summary: 'The categories a plugin can be filed under',
    reply: z.array(PluginCategory),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/plugin-runtime',
    access: token,
    summary: 'Enabled plugins',
    reply: z.array(InstalledPluginDescriptor),
  }),
  show: endpoint({
    method: 'GET',
    path: '/api/plugin-runtime/{id}',
    access: token,
    summary: 'One installed plugin, with the size of its data',
    params: ById,
    reply: InstalledPluginDescriptor,
    problems: ['unknown_plugin'],
  }),
  invoke: endpoint({
    method: 'POST',
    path: '/api/plugin-runtime/{id}/invoke',
    access: token,
    summary: 'Call a method of the plugin worker',
    params: ById,
    body: InvokeRequest,
    maxBodyBytes: 32 * 1024 * 1024,
    reply: InvokeReply,
    problems: [
      'unknown_plugin',
      'unknown_method',
      'invalid_params',
      'plugin_disabled',
      'plugin_quarantined',
      'call_id_in_use',
      'call_cancelled',
      'worker_crashed',
      'worker_timed_out',
      'missing_runtime',
      'missing_permission',
    ],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/plugin-runtime/{id}/invoke/{callId}/cancel',
    access: token,
    summary: 'Cancel a call; the worker is torn down',
    params: z.object({ id: PluginId, callId: z.string().max(200) }),
    reply: z.object({ cancelled: z.boolean() }),
  }),
  logs: endpoint({
    method: 'GET',
    path: '/api/plugin-runtime/{id}/logs',
    access: token,
    summary: 'The last log events of the plugin, oldest first',
    params: ById,
    reply: z.array(PluginLogEvent),
  }),
  logStream: endpoint({
    method: 'GET',
    path: '/api/plugin-runtime/{id}/logs/stream',
    access: token,
    summary: 'Recent log events, then new ones as they come',
    params: ById,
    reply: events({ log: PluginLogEvent }),
  }),
  asset: endpoint({
    method: 'GET',
    path: '/plugin-runtime/{id}/{*file}',
    access: open,
    summary: 'A static file of the plugin page',
    params: z.object({ id: PluginId, file: z.array(z.string()) }),
  }),
} as const;

const installProblems = [
  'unknown_plugin',
  'not_in_catalog',
  'already_installed',
  'not_installable',
  'operation_running',
  'git_missing',
  'git_failed',
  'pin_mismatch',
  'checksum_required',
  'checksum_mismatch',
  'invalid_package',
  'invalid_repository',
  'reserved_identity',
  'host_too_old',
] as const;

export const market = {
  list: endpoint({
    method: 'GET',
    path: '/api/plugin-market',
    access: token,
    summary: 'Every plugin of the catalogs, and every installed one',
    /** Only those that are installed. */
    query: z.object({ installed: z.literal('true').optional() }),
    reply: z.array(MarketplacePlugin),
  }),
  details: endpoint({
    method: 'GET',
    path: '/api/plugin-market/{id}',
    access: token,
    summary: 'One plugin of the store, with what is known of it beyond the list',
    params: ById,
    reply: PluginDetails,
    problems: ['unknown_plugin'],
  }),
  install: endpoint({
    method: 'POST',
    path: '/api/plugin-market/{id}/install',
    access: token,
    summary:
      'Install a plugin of a catalog; with `Prefer: respond-async` 202 `{operationId}` at once',
    params: ById,
    reply: InstalledPluginDescriptor,
    accepted: OperationStarted,
    problems: installProblems,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/plugin-market/{id}/update',
    access: token,
    summary:
      'Replace an installed plugin by the latest of its catalog; `Prefer: respond-async` as for install',
    params: ById,
    reply: InstalledPluginDescriptor,
    accepted: OperationStarted,
    problems: installProblems,
  }),
  uploadNative: endpoint({
    method: 'POST',
    path: '/api/plugin-market/upload-native',
    access: token,
    summary: 'Install the package at a path; desktop only',
    body: NativePackage,
    reply: InstalledPluginDescriptor,
    problems: ['desktop_only', 'unknown_file', 'invalid_package', 'checksum_required'],
  }),
  inspectNative: endpoint({
    method: 'POST',
    path: '/api/plugin-market/inspect-native',
    access: token,
    summary: 'Read the package at a path without installing it; desktop only',
    body: NativePackage,
    reply: PackageInspection,
    problems: ['desktop_only', 'unknown_file', 'invalid_package'],
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/plugin-market/upload',
    access: token,
    summary: 'Install a package; one of the same id is replaced',
    body: multipart('file', PackageFields),
    reply: InstalledPluginDescriptor,
    problems: [
      'invalid_package',
      'reserved_identity',
      'checksum_required',
      'checksum_mismatch',
      'host_too_old',
    ],
  }),
  inspect: endpoint({
    method: 'POST',
    path: '/api/plugin-market/inspect',
    access: token,
    summary: 'Read a package without installing it',
    body: multipart('file', PackageFields),
    reply: PackageInspection,
    problems: ['invalid_package', 'reserved_identity', 'checksum_mismatch', 'host_too_old'],
  }),
  setEnabled: endpoint({
    method: 'PATCH',
    path: '/api/plugin-market/{id}/enabled',
    access: token,
    summary: 'Enable or disable an installed plugin',
    params: ById,
    body: z.object({ enabled: z.boolean() }),
    reply: InstalledPluginDescriptor,
  }),
  uninstall: endpoint({
    method: 'DELETE',
    path: '/api/plugin-market/{id}',
    access: token,
    summary: 'Uninstall a plugin; deleteData decides over its data directory',
    params: ById,
    query: z.object({ deleteData: z.enum(['true', 'false']) }),
  }),
} as const;
