import { z } from 'zod';
import { endpoint, events, open, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { PluginId, UserConfigField } from './manifest.ts';
import { Problem } from './problem.ts';

export const PluginState = z.enum([
  'stopped',
  'starting',
  'running',
  'crashed',
  'quarantined',
  'missing_runtime',
  'sandbox_unavailable',
]);
export type PluginState = z.output<typeof PluginState>;

export const PluginSource = z.enum(['OFFICIAL', 'THIRD_PARTY']);

/** Names of contributions of a plugin other than its page and worker. */
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
  /** ISO 8601, UTC: when this copy was unpacked. Differs between copies of the same version. */
  installedAt: z.string().optional(),
  /** Absolute loopback URL of the page; empty for a plugin without a page. */
  uiEntry: z.string(),
  author: z.string(),
  permissions: z.array(z.string()),
  enabled: z.boolean(),
  iconStyle: z.literal('BLUE'),
  supportsAi: z.boolean(),
  source: PluginSource,
  state: PluginState,
  /** Reason for the state of the worker, as text for a person. */
  stateReason: z.string().optional(),
  stateReasonMessage: HostMessage.optional(),
  /** Size of the plugin's data directory in bytes; only for a single plugin. */
  dataSizeBytes: z.int().optional(),
  /** Absent if it contributes nothing, or if this is unknown before the installation. */
  contents: PluginContentNames.optional(),
  /** Settings that a person fills in; absent if there are none. */
  userConfig: z.record(z.string(), UserConfigField).optional(),
  /** Keys of required settings without a value; the plugin cannot be called until they are set. */
  missingConfig: z.array(z.string()).optional(),
  /** Set if developer tools installed this copy; its page then displays its errors. */
  isDeveloped: z.literal(true).optional(),
});
export type InstalledPluginDescriptor = z.output<typeof InstalledPluginDescriptor>;

export const PluginCategory = z.object({ id: z.string(), labelKey: z.string(), icon: z.string() });

export const PluginLogEvent = z.object({
  /** ISO 8601, UTC. */
  timestamp: z.string(),
  level: z.string(),
  /** Null for lines from stderr. */
  logger: z.string().nullable(),
  thread: z.string().nullable(),
  message: z.string(),
  sequence: z.int(),
});
export type PluginLogEvent = z.output<typeof PluginLogEvent>;

/** Position in the files of a plugin; line and column count from 1. */
export const ErrorLocation = z.object({
  file: z.string().min(1).max(400),
  line: z.int().min(1).optional(),
  column: z.int().min(1).optional(),
});
export type ErrorLocation = z.output<typeof ErrorLocation>;

export const PluginError = z.object({
  /** `manifest`: a warning about the installed package, whose worker and page can still work. */
  origin: z.enum(['worker', 'page', 'manifest']),
  level: z.enum(['error', 'warning']),
  message: z.string(),
  /** Set if the host wrote the message. */
  text: HostMessage.optional(),
  /** Output of an ended worker to stderr. */
  details: z.string().optional(),
  place: ErrorLocation.optional(),
  /** Number of occurrences. */
  count: z.int(),
  /** ISO 8601, UTC. */
  firstAt: z.string(),
  lastAt: z.string(),
});
export type PluginError = z.output<typeof PluginError>;

export const PluginErrors = z.object({
  /** Newest first, at most 100 different errors. */
  errors: z.array(PluginError),
  /** Number of errors since they were cleared, including those that are no longer listed. */
  total: z.int(),
});
export type PluginErrors = z.output<typeof PluginErrors>;

export const InvokeRequest = z.object({
  /** Also part of the path that cancels the call. */
  callId: z.string().regex(/^(?!\.{1,2}$)[\w.:-]{1,200}$/, 'field.callId'),
  method: z.string().min(1).max(200),
  params: z.unknown().optional(),
});

export const InvokeReply = z.union([
  z.object({ callId: z.string(), result: z.unknown() }),
  z.object({
    callId: z.string(),
    error: z.object({
      code: z.int(),
      message: z.string(),
      text: HostMessage.optional(),
      data: z.unknown().optional(),
    }),
  }),
]);
export const CallProgress = z.object({
  callId: z.string(),
  /** 0 to 100. */
  percent: z.number().optional(),
  message: z.string().optional(),
});

export type InvokeReply = z.output<typeof InvokeReply>;

/**
 * Sensitive values are masked with `***`; a masked value in a request leaves the setting unchanged.
 */
export const PluginConfig = z.object({
  /** Stored values, and the defaults of the other settings. */
  values: z.record(z.string(), z.unknown()),
  /** Keys of required settings without a value. */
  missing: z.array(z.string()),
  /** Reasons, as sentences, why stored values of settings cannot be used; absent if all can. */
  unusable: z
    .array(z.object({ key: z.string(), message: z.string(), text: HostMessage.optional() }))
    .optional(),
});
export type PluginConfig = z.output<typeof PluginConfig>;

const ById = z.object({ id: PluginId });

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
    summary:
      'Call a method of the plugin worker; with `Accept: text/event-stream` its progress comes first',
    params: ById,
    body: InvokeRequest,
    maxBodyBytes: 32 * 1024 * 1024,
    reply: InvokeReply,
    /** `result` or `error` is the last event. */
    stream: events({ progress: CallProgress, result: InvokeReply, error: Problem }),
    problems: [
      'unknown_plugin',
      'unknown_method',
      'invalid_params',
      'plugin_disabled',
      'config_missing',
      'plugin_quarantined',
      'call_id_in_use',
      'call_cancelled',
      'worker_crashed',
      'worker_timed_out',
      'missing_runtime',
      'sandbox_unavailable',
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
  config: endpoint({
    method: 'GET',
    path: '/api/plugin-runtime/{id}/config',
    access: token,
    summary: 'The settings of a plugin, as its manifest asks for them',
    params: ById,
    reply: PluginConfig,
    problems: ['unknown_plugin'],
  }),
  setConfig: endpoint({
    method: 'PUT',
    path: '/api/plugin-runtime/{id}/config',
    access: token,
    summary: 'Change settings of a plugin; null takes a value back. A running worker is restarted',
    params: ById,
    body: z.record(z.string(), z.unknown()),
    reply: PluginConfig,
    problems: ['unknown_plugin', 'invalid_config'],
  }),
  logs: endpoint({
    method: 'GET',
    path: '/api/plugin-runtime/{id}/logs',
    access: token,
    summary: 'The last log events of the plugin, oldest first',
    params: ById,
    reply: z.array(PluginLogEvent),
  }),
  addPageLog: endpoint({
    method: 'POST',
    path: '/api/plugin-runtime/{id}/logs',
    access: token,
    summary: 'Add what went wrong in the page of the plugin to its log, as logger `page`',
    params: ById,
    body: z.strictObject({
      level: z.enum(['WARN', 'ERROR']),
      message: z.string().min(1).max(8_000),
      place: ErrorLocation.optional(),
    }),
    /** Position in the author's sources, if known. */
    reply: z.object({ place: ErrorLocation.optional() }),
    problems: ['unknown_plugin'],
  }),
  errors: endpoint({
    method: 'GET',
    path: '/api/plugin-runtime/{id}/errors',
    access: token,
    summary:
      'What went wrong in the worker and the page of a plugin, and warnings about its manifest',
    params: ById,
    reply: PluginErrors,
    problems: ['unknown_plugin'],
  }),
  clearErrors: endpoint({
    method: 'DELETE',
    path: '/api/plugin-runtime/{id}/errors',
    access: token,
    summary: 'Forget the errors of a plugin; warnings come back with the next installation',
    params: ById,
    problems: ['unknown_plugin'],
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
