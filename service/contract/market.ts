import { z } from 'zod';

/** What the source of the vendor is called; no other is called so. */
export const officialSourceName = 'Official plugins';
import { PluginHook, PluginServer } from './contributions.ts';
import { endpoint, multipart, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { PluginWarning, PluginId, PluginManifest } from './manifest.ts';
import { InstalledPluginDescriptor, PluginContentNames } from './plugins.ts';

/** The installed plugin, with what of it cannot be used. */
export const InstallAnswer = InstalledPluginDescriptor.extend({
  warnings: z.array(PluginWarning).optional(),
});
export type InstallAnswer = z.output<typeof InstallAnswer>;

export const MarketplacePlugin = InstallAnswer.extend({
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
  notInstallableReasonMessage: HostMessage.optional(),
  homepage: z.string().optional(),
  /** Of a package whose signature fits the key of its source: that source, and `SHA256:` of the key. */
  signedBy: z.object({ name: z.string(), fingerprint: z.string() }).optional(),
  /** The git commit that is installed. */
  commit: z.string().optional(),
  /** Its files are fetched from another machine when it is installed or looked into. */
  needsNetwork: z.literal(true).optional(),
});
export type MarketplacePlugin = z.output<typeof MarketplacePlugin>;

/** Where the files of a plugin come from. */
export const PluginLocation = z.object({
  kind: z.enum(['git', 'package']),
  /** Of the repository or the package, without a query. */
  url: z.string(),
  /** Folder in the repository; absent: its root. */
  path: z.string().optional(),
  /** Branch or tag; absent: the default branch. */
  ref: z.string().optional(),
  /** The one that is pinned, or that is installed. */
  commit: z.string().optional(),
});
export type PluginLocation = z.output<typeof PluginLocation>;

/** What an update to what the catalog has now would bring. */
export const OfferedVersion = z.object({
  /** Empty where the catalog names none. */
  version: z.string(),
  /** With the installed copy; null where one of them has no version. */
  comparison: z.enum(['upgrade', 'downgrade', 'same']).nullable(),
  permissions: z.array(z.string()),
  /** Permissions that the installed copy does not hold. */
  addedPermissions: z.array(z.string()),
});
export type OfferedVersion = z.output<typeof OfferedVersion>;

export const PluginDetails = MarketplacePlugin.extend({
  /** Text of the installed plugin's README; at most 256 KiB. */
  readme: z.string().optional(),
  /** What can be installed now, newest first. */
  versions: z.array(z.string()).optional(),
  /** Of the package, or of the installed files. */
  sizeBytes: z.int().optional(),
  place: PluginLocation.optional(),
  /** It lies where its catalogue lies, which was fetched before, or on this machine. */
  besideCatalog: z.literal(true).optional(),
  /** Of an installed plugin that its catalog lists. */
  offered: OfferedVersion.optional(),
});
export type PluginDetails = z.output<typeof PluginDetails>;

/** What is in a plugin of a catalog, read from its files, which are not kept. */
export const PluginPreview = z.object({
  version: z.string(),
  /** Of a plugin from git. */
  commit: z.string().optional(),
  permissions: z.array(z.string()),
  /** Of the files, unpacked. */
  sizeBytes: z.int(),
  /** At most 256 KiB. */
  readme: z.string().optional(),
  /** Absent where it brings nothing. */
  contents: PluginContentNames.optional(),
  hooks: z.array(PluginHook),
  /** What each MCP server would start or ask, without what it is given in secret. */
  servers: z.array(PluginServer),
  /** What cannot be used, or is left out. */
  warnings: z.array(PluginWarning),
});
export type PluginPreview = z.output<typeof PluginPreview>;

export const OperationStarted = z.object({ operationId: z.string() });

const ConversionPart = z.object({ message: z.string(), text: HostMessage.optional() });

/** The parts of an MCP bundle (`mcpb`) or a plugin of Claude Code that became parts of a package. */
export const ConvertedPackage = z.object({
  kind: z.enum(['mcpb', 'claude']),
  carried: z.array(ConversionPart),
  notCarried: z.array(ConversionPart),
});
export type ConvertedPackage = z.output<typeof ConvertedPackage>;

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
  warnings: z.array(PluginWarning),
  /** Where the file was made for another program. */
  converted: ConvertedPackage.optional(),
});
export const UploadedPlugin = InstalledPluginDescriptor.extend({
  warnings: z.array(PluginWarning),
  converted: ConvertedPackage.optional(),
});
export type PackageInspection = z.output<typeof PackageInspection>;

const ById = z.object({ id: PluginId });
const NativePackage = z.strictObject({ path: z.string().min(1).max(4_096) });
const PackageFields = z.object({ sha256: z.string().max(4_096).optional() });

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
  'signature_required',
  'signature_mismatch',
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
  look: endpoint({
    method: 'POST',
    path: '/api/plugin-market/{id}/look',
    access: token,
    summary: 'What is in a plugin of a catalog, before it is installed: fetched, read and removed',
    params: ById,
    reply: PluginPreview,
    problems: [...installProblems, 'look_timeout'],
  }),
  install: endpoint({
    method: 'POST',
    path: '/api/plugin-market/{id}/install',
    access: token,
    summary:
      'Install a plugin of a catalog; with `Prefer: respond-async` 202 `{operationId}` at once',
    params: ById,
    reply: InstallAnswer,
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
    reply: InstallAnswer,
    accepted: OperationStarted,
    problems: installProblems,
  }),
  uploadNative: endpoint({
    method: 'POST',
    path: '/api/plugin-market/upload-native',
    access: token,
    summary: 'Install the package at a path; desktop only',
    body: NativePackage,
    reply: UploadedPlugin,
    problems: [
      'desktop_only',
      'not_chosen',
      'unknown_file',
      'invalid_package',
      'checksum_required',
    ],
  }),
  inspectNative: endpoint({
    method: 'POST',
    path: '/api/plugin-market/inspect-native',
    access: token,
    summary: 'Read the package at a path without installing it; desktop only',
    body: NativePackage,
    reply: PackageInspection,
    problems: ['desktop_only', 'not_chosen', 'unknown_file', 'invalid_package'],
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/plugin-market/upload',
    access: token,
    summary: 'Install a package; one of the same id is replaced',
    body: multipart('file', PackageFields),
    reply: UploadedPlugin,
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
