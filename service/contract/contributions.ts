import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { PluginId } from './manifest.ts';

export const SkillSummary = z.object({
  name: z.string(),
  description: z.string(),
  pluginId: z.string(),
  /** Paths relative to the folder of the skill. */
  files: z.array(z.string()),
});

export const CommandSummary = z.object({
  name: z.string(),
  description: z.string(),
  argumentHint: z.string().optional(),
  pluginId: z.string(),
});

/** A hook from the settings or a plugin. */
export const PluginHook = z.object({
  /** `plugin/<id>/<name>`. */
  name: z.string(),
  /** One of the host's five events; otherwise as the plugin spells it. */
  event: z.string(),
  /** Null: all tools. */
  matcher: z.string().nullable(),
  /** `command` or `http`; otherwise as the plugin spells it. */
  type: z.string(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  /** Set if a command requires this shell. */
  shell: z.literal('bash').optional(),
  url: z.string().optional(),
  timeoutSeconds: z.number(),
  enabled: z.boolean(),
  /** Before a tool call: if the hook fails, the call is denied. */
  failClosed: z.literal(true).optional(),
  /** False: the hook is listed but never runs. */
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
  /** `changed`: the content differs from what was trusted, so nothing of it runs. */
  state: z.enum(['untrusted', 'trusted', 'changed']),
  hooks: z.array(PluginHook),
  mcpServers: z.array(z.string()),
  /** Command or address of each server, without secret values. */
  servers: z.array(PluginServer),
  /** Hash of the content that trust would cover; null if it is too large to read. */
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
    /** The hash that was displayed. If the content has changed since, it is not trusted. */
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
