import type { Client } from '../../service/client/index.ts';
import type { Received } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Watched } from '../core/store.ts';
import { createStore } from '../core/store.ts';

export type McpStatus = Received<typeof api.mcp.status>;

/** The status of the MCP servers; null until it is loaded. */
export interface McpStatusStore extends Watched<McpStatus | null> {
  /**
   * Never rejects: on failure the last known value stays. Reads again if something changed during a
   * request.
   */
  refresh(): Promise<void>;
}

export function createMcpStatusStore(client: Client): McpStatusStore {
  const store = createStore<McpStatus | null>(null);
  let reading: Promise<void> | null = null;
  let isStale = false;

  async function read(): Promise<void> {
    while (isStale) {
      isStale = false;
      const status = await client.call(api.mcp.status).catch(() => null);
      if (status) store.set(status);
    }
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: () => {
      isStale = true;
      reading ??= read().finally(() => (reading = null));
      return reading;
    },
  };
}

/** Returns true if an enabled server cannot work without action by the user. */
export const mcpNeedsAttention = ({ state }: McpStatus['connections'][number]): boolean =>
  state === 'FAILED' || state === 'NEEDS_AUTH' || state === 'DEGRADED';
