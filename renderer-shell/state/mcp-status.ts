import type { Client } from '../../service/client/index.ts';
import type { Received } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Polled } from './polled.ts';
import { createPolled } from './polled.ts';

export type McpStatus = Received<typeof api.mcp.status>;

/** How the MCP servers stand. */
export type McpStatusBook = Polled<McpStatus>;

export const createMcpStatus = (client: Client): McpStatusBook =>
  createPolled(
    () => client.call(api.mcp.status),
    ({ connections }) => connections.some(({ state }) => state === 'CONNECTING'),
  );

/** What a server that is switched on lacks: somebody has to look after it. */
export const isMcpTroubled = ({ state }: McpStatus['connections'][number]): boolean =>
  state === 'FAILED' || state === 'NEEDS_AUTH' || state === 'DEGRADED';
