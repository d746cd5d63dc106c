import type { Route } from '../address.ts';
import type { Watched } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';
import type { PickAsk } from './pick-ask.ts';
import type { SaveAsk } from './save-ask.ts';

export type AnyAsk = PickAsk | SaveAsk;

/** What the pages of plugins ask the user for, oldest first. */
export interface FileDesk {
  asks: Watched<readonly AnyAsk[]>;
  /** Puts a question; it stays until it has its outcome. */
  put(ask: AnyAsk): void;
}

export function createFileDesk(): FileDesk {
  const asks = createStore<readonly AnyAsk[]>([]);
  const remove = (ask: AnyAsk) => asks.set(asks.get().filter((other) => other !== ask));
  return {
    asks,
    put: (ask) => {
      asks.set([...asks.get(), ask]);
      const settled: Promise<unknown> = ask.outcome;
      settled.then(
        () => remove(ask),
        () => remove(ask),
      );
    },
  };
}

/** The question to show: of the plugin that the user looks at, one at a time. Others wait until then. */
export const askShown = (asks: readonly AnyAsk[], route: Route): AnyAsk | undefined =>
  route.area === 'plugins' ? asks.find(({ pluginId }) => pluginId === route.id) : undefined;
