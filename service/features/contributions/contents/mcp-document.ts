import { isObject } from '../../../core/is-object.ts';
import { type Message, msg } from '../../../messages/index.ts';

export interface ServersFound {
  /** What stands under each name, as it was written. */
  servers: Record<string, unknown>;
  problem?: Message;
}

/** `{"mcpServers": {…}}`, `{"mcp_servers": {…}}`, or the servers by their names without either. */
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
