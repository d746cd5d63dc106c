import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { McpConnection } from '../../features/mcp/connection/mcp-connection.ts';
import { StartLimiter } from '../../features/mcp/connection/start-limiter.ts';
import { McpToolSource } from '../../features/mcp/tools/mcp-tool-source.ts';
import { ToolCatalog } from '../../features/tools/tool-catalog.ts';
import { aServer } from './a-server.ts';

const program = join(import.meta.dirname, 'odd-tools.mjs');

/**
 * Returns a catalog of servers with these tool names, all connected until the test ends. A tool
 * returns the name that its server was called with.
 */
export async function catalogOf(servers: Record<string, string[]>): Promise<ToolCatalog> {
  const limiter = new StartLimiter();
  const connections = Object.entries(servers).map(([name, tools]) => {
    const args = [program, JSON.stringify(tools)];
    const transport = () =>
      Promise.resolve(new StdioClientTransport({ command: process.execPath, args }));
    return new McpConnection(aServer(name), { startLimiter: limiter, transport });
  });
  onTestFinished(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
  });
  await Promise.all(connections.map((connection) => connection.ready(60_000)));
  const catalog = new ToolCatalog((what, error) => {
    throw new Error(what, { cause: error });
  });
  catalog.add(new McpToolSource(() => connections));
  return catalog;
}
