import { isObject } from '../../../core/is-object.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** MCP servers as they are written in a document. */
export interface ServersFound {
  /** Unvalidated definitions by name. */
  servers: Record<string, unknown>;
  problem?: Message;
}

/**
 * Finds the servers in `{"mcpServers": {…}}`, `{"mcp_servers": {…}}`, or a map of servers without
 * either.
 */
export function serversIn(document: unknown): ServersFound {
  if (!isObject(document)) return { servers: {}, problem: msg('contributions.notJsonObject') };
  const wrapped = document.mcpServers ?? document.mcp_servers;
  if (isObject(wrapped)) return { servers: wrapped };
  const bare = Object.entries(document).filter(([, value]) => isObject(value));
  const servers = Object.fromEntries(bare);
  return wrapped === undefined
    ? { servers }
    : { servers, problem: msg('contributions.noServerMap') };
}
