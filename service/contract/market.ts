import { z } from 'zod';

/** Name of the vendor's source; no other source can have it. */
export const officialSourceName = 'Official plugins';
import { PluginHook, PluginServer } from './contributions.ts';
import { endpoint, multipart, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { PluginWarning, PluginId, PluginManifest } from './manifest.ts';
import { InstalledPluginDescriptor, PluginContentNames } from './plugins.ts';

/** The installed plugin, with warnings about parts that cannot be used. */
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
  /** Manifest of a `.plugin` package; for other catalogs, the entry itself. */
  manifest: z.union([PluginManifest, z.record(z.string(), z.unknown())]),
  /** True if it can be installed from its source. */
  installable: z.boolean(),
  /** Reason why it cannot be installed, as a sentence. */
  notInstallableReason: z.string().optional(),
  notInstallableReasonMessage: HostMessage.optional(),
  homepage: z.string().optional(),
  /**
   * For a package whose signature matches the key of its source: the source, and `SHA256:` of the
   * key.
   */
  signedBy: z.object({ name: z.string(), fingerprint: z.string() }).optional(),
  /** The installed git commit. */
  commit: z.string().optional(),
  /** Its files are downloaded for an installation or a preview. */
  needsNetwork: z.literal(true).optional(),
});
export type MarketplacePlugin = z.output<typeof MarketplacePlugin>;

/** Location of the files of a plugin. */
export const PluginLocation = z.object({
  kind: z.enum(['git', 'package']),
  /** Address of the repository or package, without a query. */
  url: z.string(),
  /** Folder in the repository; absent: its root. */
  path: z.string().optional(),
  /** Branch or tag; absent: the default branch. */
  ref: z.string().optional(),
  /** The pinned or installed commit. */
  commit: z.string().optional(),
});
export type PluginLocation = z.output<typeof PluginLocation>;

/** Changes of an update to the version in the catalog. */
export const OfferedVersion = z.object({
  /** Empty if the catalog lists none. */
  version: z.string(),
  /** Compared with the installed copy; null if one of them has no version. */
  comparison: z.enum(['upgrade', 'downgrade', 'same']).nullable(),
  permissions: z.array(z.string()),
  /** Permissions that the installed copy does not have. */
  addedPermissions: z.array(z.string()),
});
export type OfferedVersion = z.output<typeof OfferedVersion>;

export const PluginDetails = MarketplacePlugin.extend({
  /** README of the installed plugin; at most 256 KiB. */
  readme: z.string().optional(),
  /** Versions that can be installed, newest first. */
  versions: z.array(z.string()).optional(),
  /** Size of the package, or of the installed files. */
  sizeBytes: z.int().optional(),
  place: PluginLocation.optional(),
  /** Its files are next to the catalog, already downloaded or on this machine. */
  besideCatalog: z.literal(true).optional(),
  /** For an installed plugin that its catalog lists. */
  offered: OfferedVersion.optional(),
});
export type PluginDetails = z.output<typeof PluginDetails>;

/** Contents of a plugin of a catalog. Its files are read for the preview and not kept. */
export const PluginPreview = z.object({
  version: z.string(),
  /** For a plugin from git. */
  commit: z.string().optional(),
  permissions: z.array(z.string()),
  /** Size of the unpacked files. */
  sizeBytes: z.int(),
  /** At most 256 KiB. */
  readme: z.string().optional(),
  /** Absent if it contributes nothing. */
  contents: PluginContentNames.optional(),
  hooks: z.array(PluginHook),
  /** Command or address of each MCP server, without secret values. */
  servers: z.array(PluginServer),
  /** Parts that cannot be used or are omitted. */
  warnings: z.array(PluginWarning),
});
export type PluginPreview = z.output<typeof PluginPreview>;

export const OperationStarted = z.object({ operationId: z.string() });

const ConversionPart = z.object({ message: z.string(), text: HostMessage.optional() });

/** Parts of an MCP bundle (`mcpb`) or a Claude Code plugin that were converted into a package. */
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
  /** Permissions that the installed copy does not have. */
  addedPermissions: z.array(z.string()),
  official: z.boolean(),
  /** True if it requests its own database. */
  database: z.boolean(),
  sha256: z.string(),
  sizeBytes: z.int(),
  warnings: z.array(PluginWarning),
  /** Set for files that were made for another program. */
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
    /** Only installed plugins. */
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
