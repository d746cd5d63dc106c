import { useCallback, useEffect, useState } from 'react';
import type { PluginTrust } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';

export type TrustState =
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown }
  /** Null: nothing of the plugin runs. */
  | { kind: 'ready'; trust: PluginTrust | null };

/** What a plugin brings that runs, and whether it may. Each rejects with `ServiceError`. */
export interface Trusting {
  state: TrustState;
  /** Reads again what is there now; failures are in the state. */
  refresh: () => Promise<void>;
  trust: () => Promise<void>;
  takeBack: () => Promise<void>;
}

/** `version` stands for the installed copy: another one is read again. */
export function useTrust(pluginId: string, version: string): Trusting {
  const { client } = useShell();
  const [state, setState] = useState<TrustState>({ kind: 'loading' });

  const refresh = useCallback(async () => {
    try {
      const all = await client.call(api.contributions.hooks);
      const trust = all.find((one) => one.pluginId === pluginId) ?? null;
      setState({ kind: 'ready', trust });
    } catch (error) {
      setState((before) => (before.kind === 'ready' ? before : { kind: 'failed', error }));
    }
  }, [client, pluginId]);

  useEffect(() => {
    void refresh();
    const onFocus = () => void refresh();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [refresh, version]);

  const params = { id: pluginId };
  return {
    state,
    refresh,
    trust: async () => {
      const trust = await client.call(api.contributions.trust, { params });
      setState({ kind: 'ready', trust });
    },
    takeBack: async () => {
      await client.call(api.contributions.untrust, { params });
      await refresh();
    },
  };
}
