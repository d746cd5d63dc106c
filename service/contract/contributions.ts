import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { PluginId } from './manifest.ts';

export const SkillSummary = z.object({
  name: z.string(),
  description: z.string(),
  pluginId: z.string(),
  /** Of the skill's folder, relative to it. */
  files: z.array(z.string()),
});

export const CommandSummary = z.object({
  name: z.string(),
  description: z.string(),
  argumentHint: z.string().optional(),
  pluginId: z.string(),
});

/** A hook as the settings and plugins describe it. */
export const PluginHook = z.object({
  /** `plugin/<id>/<name>`. */
  name: z.string(),
  /** One of the host's five events, else as the plugin wrote it. */
  event: z.string(),
  /** Null: every tool. */
  matcher: z.string().nullable(),
  /** `command` or `http`, else as the plugin wrote it. */
  type: z.string(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  /** Where a command is for that shell and no other. */
  shell: z.literal('bash').optional(),
  url: z.string().optional(),
  timeoutSeconds: z.number(),
  enabled: z.boolean(),
  /** Before a tool: when it fails, the call is denied. */
  failClosed: z.literal(true).optional(),
  /** False: it is shown but never runs. */
  supported: z.boolean(),
  unsupportedReason: z.string().optional(),
  unsupportedReasonMessage: HostMessage.optional(),
});

export const PluginServer = z.object({
  name: z.string(),
  transport: z.enum(['STDIO', 'SSE', 'STREAMABLE_HTTP']),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  url: z.string().optional(),
});

export const PluginTrust = z.object({
  pluginId: z.string(),
  trusted: z.boolean(),
  /** `changed`: what was trusted is not what is there now, so nothing of it runs. */
  state: z.enum(['untrusted', 'trusted', 'changed']),
  hooks: z.array(PluginHook),
  mcpServers: z.array(z.string()),
  /** What each of these servers starts or asks, without what it is given in secret. */
  servers: z.array(PluginServer),
  /** Of all that one word of trust would cover, as it is now; null where it is too much to read. */
  hash: z.string().nullable(),
  warnings: z.array(
    z.object({ part: z.string(), reason: z.string(), reasonMessage: HostMessage.optional() }),
  ),
});
export type PluginTrust = z.output<typeof PluginTrust>;

const ById = z.object({ id: PluginId });

export const contributions = {
  skills: endpoint({
    method: 'GET',
    path: '/api/skills',
    access: token,
    summary: 'The skills of enabled plugins',
    reply: z.array(SkillSummary),
  }),
  commands: endpoint({
    method: 'GET',
    path: '/api/commands',
    access: token,
    summary: 'The commands of enabled plugins',
    reply: z.array(CommandSummary),
  }),
  hooks: endpoint({
    method: 'GET',
    path: '/api/plugin-hooks',
    access: token,
    summary: 'Every plugin that brings hooks or MCP servers, and whether it is trusted',
    reply: z.array(PluginTrust),
  }),
  trust: endpoint({
    method: 'POST',
    path: '/api/plugin-hooks/{id}/trust',
    access: token,
    summary: 'Trust the hooks and MCP servers of a plugin as they are now',
    params: ById,
    /** The hash that was shown: what has changed since then is not trusted. */
    body: z.strictObject({ hash: z.string().max(100).optional() }).optional(),
    reply: PluginTrust,
    problems: ['unknown_plugin', 'nothing_to_trust', 'content_changed', 'too_many_files'],
  }),
  untrust: endpoint({
    method: 'DELETE',
    path: '/api/plugin-hooks/{id}/trust',
    access: token,
    summary: 'Take the trust back',
    params: ById,
    problems: ['unknown_plugin'],
  }),
} as const;
