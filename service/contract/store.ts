import { z } from 'zod';
import { endpoint, events, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { PluginWarning } from './manifest.ts';

/**
 * Format of a source: `HOST` is a catalog of `.plugin` packages, `CLAUDE` a
 * `.claude-plugin/marketplace.json`, `AGENTS` an `.agents/plugins/marketplace.json`.
 */
export const SourceKind = z.enum(['HOST', 'CLAUDE', 'AGENTS']);
export type SourceKind = z.output<typeof SourceKind>;

/** A catalog entry that was skipped or changed, with the reason as a clause for a person. */
export const CatalogWarning = z.object({
  entry: z.string(),
  entryMessage: HostMessage.optional(),
  reason: z.string(),
  reasonMessage: HostMessage.optional(),
});
export type CatalogWarning = z.output<typeof CatalogWarning>;

export const PluginStoreSource = z.object({
  id: z.string(),
  kind: SourceKind,
  name: z.string(),
  url: z.string(),
  /** Branch or tag of a git repository; absent: the default branch. */
  ref: z.string().optional(),
  /** Every package of the source must be signed with this key: Ed25519, SPKI in PEM. */
  publicKey: z.string().optional(),
  enabled: z.boolean(),
  builtIn: z.boolean(),
  /** ISO 8601, UTC; null before the first refresh. */
  lastRefreshedAt: z.string().nullable(),
  /** Reason why the last refresh failed; earlier entries are kept. */
  error: z.string().optional(),
  errorMessage: HostMessage.optional(),
  pluginCount: z.int(),
  warnings: z.array(CatalogWarning),
});
export type PluginStoreSource = z.output<typeof PluginStoreSource>;

export const NewSource = z.strictObject({
  /**
   * Address of a catalog in JSON or of a git repository; `owner/repo` is a repository on GitHub.
   */
  url: z.string().trim().min(1).max(2_000),
  kind: SourceKind.optional(),
  ref: z
    .string()
    .max(200)
    .regex(/^(?!-)[\w./+@-]+$/, 'field.gitRef')
    .refine((ref) => !/\.\.|@\{|\/$|\.lock$/.test(ref), 'field.gitRef')
    .optional(),
  /**
   * Public key of a catalog of packages: Ed25519, SPKI in PEM. Only packages signed with it can be
   * installed.
   */
  publicKey: z.string().max(2_000).optional(),
});
export type NewSource = z.output<typeof NewSource>;

export const PluginOperation = z.object({
  id: z.string(),
  pluginId: z.string(),
  kind: z.enum(['install', 'update']),
  state: z.enum(['running', 'completed', 'failed', 'cancelled']),
  /** Current phase: `waiting`, `resolving`, `receiving`, `writing`, `installing` or `done`. */
  phase: z.string(),
  /** Progress of the phase, 0 to 100. */
  percent: z.number().optional(),
  /** Reason of the failure, as a sentence. */
  message: z.string().optional(),
  text: HostMessage.optional(),
  /** For a completed installation: parts of the plugin that cannot be used. */
  warnings: z.array(PluginWarning).optional(),
});
export type PluginOperation = z.output<typeof PluginOperation>;

const SourceById = z.object({ id: z.string().max(100) });
const OperationById = z.object({ id: z.string().max(100) });

export const store = {
  sources: endpoint({
    method: 'GET',
    path: '/api/plugin-store/sources',
    access: token,
    summary: 'The sources of the store, the built-in one first',
    reply: z.array(PluginStoreSource),
  }),
  addSource: endpoint({
    method: 'POST',
    path: '/api/plugin-store/sources',
    access: token,
    summary: 'Subscribe to a source; what is wrong with its catalogue is told in `error`',
    body: NewSource,
    reply: PluginStoreSource,
    status: 201,
    problems: ['invalid_source', 'address_refused', 'source_exists'],
  }),
  removeSource: endpoint({
    method: 'DELETE',
    path: '/api/plugin-store/sources/{id}',
    access: token,
    summary: 'Unsubscribe; what was installed from the source stays',
    params: SourceById,
    problems: ['unknown_source', 'built_in_source'],
  }),
  refreshSource: endpoint({
    method: 'POST',
    path: '/api/plugin-store/sources/{id}/refresh',
    access: token,
    summary: 'Read the catalogue of a source again',
    params: SourceById,
    reply: PluginStoreSource,
    problems: ['unknown_source'],
  }),
  setSourceEnabled: endpoint({
    method: 'PATCH',
    path: '/api/plugin-store/sources/{id}',
    access: token,
    summary: 'Show or hide the entries of a source',
    params: SourceById,
    body: z.strictObject({ enabled: z.boolean() }),
    reply: PluginStoreSource,
    problems: ['unknown_source'],
  }),
  operations: endpoint({
    method: 'GET',
    path: '/api/plugin-store/operations',
    access: token,
    summary:
      'Installations and updates that run, and those that ended in the last hour, oldest first',
    reply: z.array(PluginOperation),
  }),
  operation: endpoint({
    method: 'GET',
    path: '/api/plugin-store/operations/{id}',
    access: token,
    summary: 'How far an installation or update is; kept for an hour after its end',
    params: OperationById,
    reply: PluginOperation,
    problems: ['unknown_operation'],
  }),
  cancelOperation: endpoint({
    method: 'DELETE',
    path: '/api/plugin-store/operations/{id}',
    access: token,
    summary: 'Cancel an installation or update; the installed copy stays as it was',
    params: OperationById,
    problems: ['unknown_operation'],
  }),
  operationStream: endpoint({
    method: 'GET',
    path: '/api/plugin-store/operations/{id}/stream',
    access: token,
    summary: 'Progress as it goes; the last event tells the end',
    params: OperationById,
    reply: events({ progress: PluginOperation }),
    problems: ['unknown_operation'],
  }),
} as const;
