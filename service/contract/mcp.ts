import { z } from 'zod';
import { endpoint, events, token } from './endpoint.ts';
import { McpDefinition, McpReplacement, McpServerView, McpState, McpTool } from './mcp-servers.ts';
import { PluginLogEvent } from './plugins.ts';
import { HostMessage } from './host-message.ts';

/** Exactly as the server returned it. */
const Loose = z.record(z.string(), z.unknown());

const ById = z.object({ id: z.string().max(200) });
const away = [
  'unknown_server',
  'mcp_unavailable',
  'mcp_failed',
  'mcp_disabled',
  'mcp_needs_auth',
] as const;

/** `reason` continues the name of the server. */
const ImportWarning = z.object({
  name: z.string(),
  reason: z.string(),
  reasonMessage: HostMessage.optional(),
});

export const mcp = {
  status: endpoint({
    method: 'GET',
    path: '/api/mcp/status',
    access: token,
    summary: 'How many servers are connected, and with how many tools',
    reply: z.object({
      servers: z.int(),
      connected: z.int(),
      tools: z.int(),
      connections: z.array(
        z.object({ id: z.string(), name: z.string(), state: McpState, tools: z.int() }),
      ),
    }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/mcp/servers',
    access: token,
    summary: 'The servers, how they stand, and their tools',
    reply: z.array(McpServerView),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/mcp/servers',
    access: token,
    summary: 'Add a server and connect to it; answers after at most 2 s with how it stands then',
    body: McpDefinition,
    reply: McpServerView,
    status: 201,
    problems: ['invalid_server', 'name_taken', 'too_many_servers'],
  }),
  replace: endpoint({
    method: 'PUT',
    path: '/api/mcp/servers/{id}',
    access: token,
    summary: 'Replace a server: its session is closed, and another one begins',
    params: ById,
    body: McpReplacement,
    reply: McpServerView,
    problems: ['unknown_server', 'invalid_server', 'name_taken', 'built_in'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/mcp/servers/{id}',
    access: token,
    summary: 'Disconnect a server and remove it with its credentials',
    params: ById,
    problems: ['unknown_server', 'built_in'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/mcp/servers/{id}/test',
    access: token,
    summary: 'Connect anew and ask for the tools; answers when the outcome is known',
    params: ById,
    reply: McpServerView,
    problems: ['unknown_server', 'mcp_disabled'],
  }),
  authorize: endpoint({
    method: 'POST',
    path: '/api/mcp/servers/{id}/authorize',
    access: token,
    summary:
      'Begin to sign in: answers the page to open in a browser; the server connects when the person is back',
    params: ById,
    reply: z.object({ authorizationUrl: z.string() }),
    problems: [
      'unknown_server',
      'mcp_disabled',
      'no_sign_in_needed',
      'no_sign_in_offered',
      'callback_port_taken',
      'sign_in_failed',
    ],
  }),
  tools: endpoint({
    method: 'GET',
    path: '/api/mcp/servers/{id}/tools',
    access: token,
    summary: 'The tools with what they take; those of the last time while the server is away',
    params: ById,
    reply: z.array(McpTool),
    problems: ['unknown_server'],
  }),
  call: endpoint({
    method: 'POST',
    path: '/api/mcp/servers/{id}/call',
    access: token,
    summary: 'Call a tool by the name that the server gives it',
    params: ById,
    body: z.strictObject({
      tool: z.string().min(1).max(1_000),
      arguments: z.record(z.string(), z.unknown()).default({}),
    }),
    reply: z.object({
      content: z.array(Loose),
      structuredContent: z.unknown().optional(),
      isError: z.boolean().optional(),
    }),
    problems: [...away, 'mcp_timeout'],
  }),
  prompts: endpoint({
    method: 'GET',
    path: '/api/mcp/servers/{id}/prompts',
    access: token,
    summary: 'The prompts of the live session',
    params: ById,
    reply: z.array(Loose),
    problems: [...away],
  }),
  getPrompt: endpoint({
    method: 'POST',
    path: '/api/mcp/servers/{id}/prompts/get',
    access: token,
    summary: 'A prompt with its arguments filled in',
    params: ById,
    body: z.strictObject({
      name: z.string().min(1).max(1_000),
      arguments: z.record(z.string(), z.string()).default({}),
    }),
    reply: z.object({ description: z.string().optional(), messages: z.array(Loose) }),
    problems: [...away],
  }),
  resources: endpoint({
    method: 'GET',
    path: '/api/mcp/servers/{id}/resources',
    access: token,
    summary: 'The resources of the live session',
    params: ById,
    reply: z.array(Loose),
    problems: [...away],
  }),
  readResource: endpoint({
    method: 'POST',
    path: '/api/mcp/servers/{id}/resources/read',
    access: token,
    summary: 'What a resource holds',
    params: ById,
    body: z.strictObject({ uri: z.string().min(1).max(8_192) }),
    reply: z.object({ contents: z.array(Loose) }),
    problems: [...away],
  }),
  logs: endpoint({
    method: 'GET',
    path: '/api/mcp/servers/{id}/logs',
    access: token,
    summary: 'What the server wrote beside its protocol, and what became of its connection',
    params: ById,
    reply: z.array(PluginLogEvent),
    problems: ['unknown_server'],
  }),
  logStream: endpoint({
    method: 'GET',
    path: '/api/mcp/servers/{id}/logs/stream',
    access: token,
    summary: 'Recent events of its log, then new ones as they come',
    params: ById,
    reply: events({ log: PluginLogEvent }),
    problems: ['unknown_server'],
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/mcp/import',
    access: token,
    summary:
      'Take over servers from the JSON of other programs; with dryRun only say what would be',
    query: z.object({ dryRun: z.enum(['true', 'false']).optional() }),
    body: z.record(z.string(), z.unknown()),
    reply: z.union([
      z.object({
        created: z.array(McpServerView),
        warnings: z.array(ImportWarning),
      }),
      z.object({
        /**
         * Null keeps each value of `env` and `headers` and the client secret, since values are
         * never returned.
         */
        servers: z.array(McpReplacement),
        warnings: z.array(ImportWarning),
      }),
    ]),
    problems: ['no_servers'],
  }),
} as const;
