import { z } from 'zod';
import { endpoint, multipartOrJson, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { McpTransport } from './mcp-servers.ts';
import { ProviderProtocol } from './providers.ts';

/** Programs whose configuration can be imported. */
export const ImportSource = z.enum(['claude-desktop', 'claude-code', 'cherry-studio', 'vscode']);
export type ImportSource = z.output<typeof ImportSource>;

/** The imported items; with `dryRun`, those that would be imported. Never includes their keys. */
export const ImportResult = z.object({
  servers: z.array(
    z.object({
      name: z.string(),
      transport: McpTransport,
      /** Command line or address. */
      target: z.string(),
    }),
  ),
  providers: z.array(
    z.object({
      name: z.string(),
      protocol: ProviderProtocol,
      baseUrl: z.string(),
      models: z.array(z.string()),
      /** True if the key is imported, too. */
      hasKey: z.boolean(),
    }),
  ),
  prompts: z.array(
    z.object({ name: z.string(), description: z.string().optional(), text: z.string() }),
  ),
  /** Items that are not imported, or only in part. */
  warnings: z.array(
    z.object({ name: z.string(), reason: z.string(), reasonMessage: HostMessage.optional() }),
  ),
});
export type ImportResult = z.output<typeof ImportResult>;

export const imports = {
  run: endpoint({
    method: 'POST',
    path: '/api/import/{program}',
    access: token,
    summary:
      "Import MCP servers, model providers and prompts from another program's configuration, sent as a file or named by its path on this machine; keys only with keys=true",
    params: z.object({ program: ImportSource }),
    query: z.object({
      dryRun: z.enum(['true', 'false']).optional(),
      keys: z.enum(['true', 'false']).optional(),
    }),
    body: multipartOrJson('file', z.strictObject({ path: z.string().max(4_096).optional() })),
    reply: ImportResult,
    problems: ['unreadable_configuration', 'nothing_to_import', 'unknown_file'],
  }),
} as const;
