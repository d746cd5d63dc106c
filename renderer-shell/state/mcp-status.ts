import type { Client } from '../../service/client/index.ts';
import type { Received } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Watched } from '../store.ts';
import { createStore } from '../store.ts';

export type McpStatus = Received<typeof api.mcp.status>;

/** How the MCP servers stand; null until it is known. */
export interface McpStatusBook extends Watched<McpStatus | null> {
  /** Never rejects: what was known stays. */
  refresh(): Promise<void>;
  /** Looks more often until the returned function is called. */
  watch(): () => void;
  close(): void;
}

/** Nothing tells of changes by itself, so it is asked for, and only while the page is seen. */
const calmMs = 10_000;
const closeMs = 1_500;

export function createMcpStatus(client: Client): McpStatusBook {
  const store = createStore<McpStatus | null>(null);
  let shown = '';
  let watchers = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: Promise<void> | null = null;
  let closed = false;

  async function ask(): Promise<void> {
    try {
      const next = await client.call(api.mcp.status);
      const text = JSON.stringify(next);
      if (text !== shown) store.set(next);
      shown = text;
    } catch {
      // The host may be away; the next turn tells.
    }
  }

  function plan(): void {
    clearTimeout(timer);
    if (closed) return;
    const isMoving = store.get()?.connections.some(({ state }) => state === 'CONNECTING') ?? false;
    timer = setTimeout(turn, watchers > 0 || isMoving ? closeMs : calmMs);
  }

  function turn(): void {
    if (document.visibilityState === 'hidden') plan();
    else void refresh();
  }

  function refresh(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = null;
      plan();
    });
    return asking;
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh,
    watch: () => {
      watchers += 1;
      void refresh();
      return () => {
        watchers -= 1;
      };
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** What a server that is switched on lacks: somebody has to look after it. */
export const isMcpTroubled = ({ state }: McpStatus['connections'][number]): boolean =>
  state === 'FAILED' || state === 'NEEDS_AUTH' || state === 'DEGRADED';
