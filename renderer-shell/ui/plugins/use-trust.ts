import { useCallback, useEffect } from 'react';
import type { PluginTrust } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Loaded, Loading } from '../frame/use-loaded.ts';
import { useLoaded } from '../frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';

/** The hooks and MCP servers of a plugin, and whether it is trusted; null if it has none. */
export interface Trusting extends Loading<PluginTrust | null> {
  /** Rejects with `ServiceError`. */
  trust: () => Promise<void>;
  /** Rejects with `ServiceError`. */
  revoke: () => Promise<void>;
}

function displayedHash(state: Loaded<PluginTrust | null>): string | undefined {
  return state.kind === 'ready' ? (state.value?.hash ?? undefined) : undefined;
}

export function useTrust(pluginId: string): Trusting {
  const { client } = useShell();
  const load = useCallback(async () => {
    const all = await client.call(api.contributions.hooks);
    return all.find((one) => one.pluginId === pluginId) ?? null;
  }, [client, pluginId]);
  const loading = useLoaded(load);
  const { refresh, reload } = loading;

  useEffect(() => {
    window.addEventListener('focus', refresh);
    return () => window.removeEventListener('focus', refresh);
  }, [refresh]);

  const params = { id: pluginId };
  return {
    ...loading,
    trust: async () => {
      // Content that has changed since it was shown is not trusted.
      const hash = displayedHash(loading.state);
      await client.call(api.contributions.trust, { params, body: { hash } });
      await reload();
    },
    revoke: async () => {
      await client.call(api.contributions.untrust, { params });
      await reload();
    },
  };
}
