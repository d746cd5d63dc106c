import { useCallback, useEffect, useRef, useState } from 'react';
import type { McpServerView } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Loaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';

/** The list of MCP servers. */
export interface Servers {
  state: Loaded<McpServerView[]>;
  find: (id: string) => McpServerView | undefined;
  /** Never rejects: on failure the error is in the state, or the last items stay. */
  refresh: () => Promise<void>;
  /** Applies a newer status of one server at once. */
  take: (view: McpServerView) => void;
}

const byName = (servers: McpServerView[]): McpServerView[] =>
  [...servers].sort((a, b) => a.name.localeCompare(b.name));

/**
 * Reads the servers again whenever their status changes; a late response to an older request is
 * ignored.
 */
export function useServers(): Servers {
  const { client, mcp } = useShell();
  const [state, setState] = useState<Loaded<McpServerView[]>>({ kind: 'loading' });
  const asked = useRef(0);
  const status = useStore(mcp);
  const refresh = useCallback(async () => {
    const turn = ++asked.current;
    try {
      const value = byName(await client.call(api.mcp.list));
      if (turn === asked.current) setState({ kind: 'ready', value });
    } catch (error) {
      if (turn !== asked.current) return;
      setState((before) => (before.kind === 'ready' ? before : { kind: 'failed', error }));
    }
  }, [client]);
  const take = useCallback(
    (view: McpServerView) => {
      setState((before) => {
        const others = before.kind === 'ready' ? before.value : [];
        return {
          kind: 'ready',
          value: byName([...others.filter(({ id }) => id !== view.id), view]),
        };
      });
      void refresh();
      void mcp.refresh();
    },
    [mcp, refresh],
  );
  useEffect(() => void mcp.refresh(), [mcp]);
  useEffect(() => void refresh(), [refresh, status]);
  return {
    state,
    find: (id) => (state.kind === 'ready' ? state.value.find((one) => one.id === id) : undefined),
    refresh,
    take,
  };
}
