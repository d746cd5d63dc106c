import type { Client } from '../../service/client/index.ts';
import type { MarketplacePlugin } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Store } from '../core/store.ts';
import { createStore } from '../core/store.ts';

export type PluginListState =
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'ready'; plugins: MarketplacePlugin[] };

const SOON_MS = 400;

/** The installed plugins, enabled or not, sorted by name. */
export interface PluginList {
  state: Store<PluginListState>;
  /** Number of reload requests for each plugin's page. */
  reloads: Store<ReadonlyMap<string, number>>;
  /** Never rejects: on failure the error is in the state, or the last items stay. */
  refresh(): Promise<void>;
  /** Refreshes after a short delay, once for many requests. */
  refreshSoon(): void;
  setEnabled(id: string, enabled: boolean): Promise<void>;
  uninstall(id: string, deleteData: boolean): Promise<void>;
  reload(id: string): void;
  find(id: string): MarketplacePlugin | undefined;
  close(): void;
}

export function createPluginList(client: Client): PluginList {
  const state = createStore<PluginListState>({ kind: 'loading' });
  const reloads = createStore<ReadonlyMap<string, number>>(new Map());
  let refreshTimer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  async function refresh(): Promise<void> {
    const turn = ++asked;
    try {
      const plugins = await client.call(api.market.list, { query: { installed: 'true' } });
      if (turn === asked) state.set({ kind: 'ready', plugins: byName(plugins) });
    } catch (error) {
      if (state.get().kind !== 'ready') state.set({ kind: 'failed', error });
    }
  }

  return {
    state,
    reloads,
    refresh,
    refreshSoon: () => {
      refreshTimer ??= setTimeout(() => {
        refreshTimer = undefined;
        void refresh();
      }, SOON_MS);
    },
    async setEnabled(id, enabled) {
      await client.call(api.market.setEnabled, { params: { id }, body: { enabled } });
      await refresh();
    },
    async uninstall(id, deleteData) {
      const query = { deleteData: deleteData ? 'true' : 'false' } as const;
      await client.call(api.market.uninstall, { params: { id }, query });
      await refresh();
    },
    reload: (id) => reloads.set(new Map(reloads.get()).set(id, (reloads.get().get(id) ?? 0) + 1)),
    find: (id) => {
      const now = state.get();
      return now.kind === 'ready' ? now.plugins.find((plugin) => plugin.id === id) : undefined;
    },
    close: () => clearTimeout(refreshTimer),
  };
}

const byName = (plugins: MarketplacePlugin[]): MarketplacePlugin[] =>
  plugins.sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));

/** A plugin without a page has no worker either: the host itself uses its contributions. */
export const hasPage = ({ uiEntry }: Pick<MarketplacePlugin, 'uiEntry'>): boolean => uiEntry !== '';

const FAILED_STATES = ['crashed', 'quarantined', 'missing_runtime', 'sandbox_unavailable'];

/** Returns true if an enabled plugin cannot work. */
export const pluginNeedsAttention = (
  plugin: Pick<MarketplacePlugin, 'enabled' | 'state' | 'uiEntry'>,
): boolean => plugin.enabled && hasPage(plugin) && FAILED_STATES.includes(plugin.state);

/** Returns the installed plugins that have a newer version in their catalog. */
export function updatesIn({ state }: Pick<PluginList, 'state'>): MarketplacePlugin[] {
  const now = state.get();
  return now.kind === 'ready' ? now.plugins.filter((plugin) => plugin.updateAvailable) : [];
}
