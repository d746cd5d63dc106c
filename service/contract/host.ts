import { z } from 'zod';
import { bytes, endpoint, open, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { PluginState } from './plugins.ts';
import { DatabaseType } from './setup.ts';

const Measurement = z.object({ statistic: z.string(), value: z.number() });

export const Metric = z.object({
  name: z.string(),
  description: z.string(),
  baseUnit: z.string().nullable(),
  measurements: z.array(Measurement),
  availableTags: z.array(z.object({ tag: z.string(), values: z.array(z.string()) })),
});
export type Metric = z.output<typeof Metric>;

export const IsolationReport = z.object({
  platform: z.string(),
  backend: z.enum(['bubblewrap', 'sandbox-exec', 'job-object', 'none']),
  /** True only after a trial process has run in the sandbox. */
  sandboxed: z.boolean(),
  reduced: z.boolean(),
  compatibilityMode: z.boolean(),
  /** Mechanism that ends a worker with all its processes. */
  lifecycleIsolation: z.string(),
  filesystem: z.enum(['full', 'advisory', 'none']),
  network: z.enum(['isolated', 'open']),
  /**
   * Mechanism that limits memory and processes: a control group for the whole sandbox, or limits of
   * each process.
   */
  resourceLimits: z.enum(['cgroup', 'rlimit', 'none']),
  reason: z.string().optional(),
  reasonMessage: HostMessage.optional(),
  advice: z.string().optional(),
  adviceMessage: HostMessage.optional(),
  unsandboxedPlugins: z.boolean(),
});
export type IsolationReport = z.output<typeof IsolationReport>;

export const Diagnostics = z.object({
  version: z.string(),
  node: z.string(),
  platform: z.string(),
  mode: z.literal('APP'),
  database: z.object({ type: DatabaseType, serverVersion: z.string() }),
  isolation: IsolationReport,
  plugins: z.array(z.object({ id: z.string(), state: PluginState })),
  mcp: z.array(z.object({ name: z.string(), state: z.string() })),
  /** Missing features of this machine, their consequences, and how to install them. */
  missing: z.array(
    z.object({
      what: z.string(),
      whatMessage: HostMessage.optional(),
      why: z.string(),
      whyMessage: HostMessage.optional(),
      fix: z.string(),
      fixMessage: HostMessage.optional(),
    }),
  ),
  /** Latest warnings and errors of the log, oldest first; `at` is ISO 8601, UTC. */
  errors: z.array(
    z.object({
      at: z.string(),
      level: z.enum(['WARN', 'ERROR']),
      logger: z.string(),
      message: z.string(),
    }),
  ),
  /** Addresses that the web guard allows, each as `ip:port`. */
  webAllow: z.array(z.string()),
});
export type Diagnostics = z.output<typeof Diagnostics>;

export const host = {
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    access: open,
    summary: 'Whether the service answers',
    reply: z.object({ status: z.literal('ok') }),
  }),
  openapi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    access: token,
    summary: 'This API, as OpenAPI 3.1',
    reply: z.record(z.string(), z.unknown()),
  }),
  pluginSchema: endpoint({
    method: 'GET',
    path: '/api/plugin-schema.json',
    access: token,
    summary: 'The JSON Schema of `manifest.json`',
    reply: z.record(z.string(), z.unknown()),
  }),
  metrics: endpoint({
    method: 'GET',
    path: '/actuator/metrics',
    access: token,
    summary: 'The names of all metrics',
    reply: z.object({ names: z.array(z.string()) }),
  }),
  metric: endpoint({
    method: 'GET',
    path: '/actuator/metrics/{name}',
    access: token,
    summary: 'One metric; ?tag=key:value narrows it',
    params: z.object({ name: z.string().max(200) }),
    query: z.object({ tag: z.union([z.string(), z.array(z.string())]).optional() }),
    reply: Metric,
    problems: ['unknown_metric'],
  }),
  diagnostics: endpoint({
    method: 'GET',
    path: '/api/diagnostics',
    access: token,
    summary: 'Versions, database, isolation, plugins, what this machine lacks, recent errors',
    reply: Diagnostics,
    problems: ['setup_required'],
  }),
  report: endpoint({
    method: 'GET',
    path: '/api/diagnostics/report',
    access: token,
    summary:
      'One JSON file for a bug report: versions, diagnostics, isolation, settings, the end of the log; without secrets',
    reply: bytes('application/json'),
    problems: ['setup_required'],
  }),
  isolation: endpoint({
    method: 'GET',
    path: '/api/security/process-isolation',
    access: token,
    summary: 'How far plugin workers are kept from the rest of the machine, as a trial has shown',
    reply: IsolationReport,
    problems: ['setup_required'],
  }),
  /** Only available if the service serves the shell. */
  webSession: endpoint({
    method: 'POST',
    path: '/api/web/session',
    access: open,
    summary: 'Exchange the one-time ticket of the address for the token',
    body: z.strictObject({ ticket: z.string().max(200) }),
    reply: z.object({ token: z.string() }),
    problems: ['ticket_used'],
  }),
} as const;
