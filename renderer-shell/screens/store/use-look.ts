import { useEffect, useState } from 'react';
import type { PluginDetails, PluginLook } from '../../../service/contract/index.ts';
import type { Market } from '../../state/market/market.ts';

export type LookState =
  | { kind: 'idle' }
  | { kind: 'looking' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'ready'; look: PluginLook };

export interface Looking {
  state: LookState;
  /** Has the files of the plugin fetched and read. */
  begin: () => void;
  /** Nothing is fetched any more, as when the page goes away. */
  stop: () => void;
}

/** What is in a plugin that is not installed; where nobody else has to be asked for it, it is read at once. */
export function useLook(market: Market, plugin: PluginDetails): Looking {
  const { id, installed, installable, besideCatalog } = plugin;
  const atOnce = !installed && installable && besideCatalog === true;
  const [asked, setAsked] = useState<object | null>(atOnce ? {} : null);
  const [answer, setAnswer] = useState<{ asked: object; state: LookState } | null>(null);
  useEffect(() => {
    if (asked === null) return;
    const ending = new AbortController();
    const tell = (state: LookState) => {
      if (!ending.signal.aborted) setAnswer({ asked, state });
    };
    market.look(id, ending.signal).then(
      (look) => tell({ kind: 'ready', look }),
      (error: unknown) => tell({ kind: 'failed', error }),
    );
    return () => ending.abort();
  }, [market, id, asked]);
  const waiting: LookState = { kind: asked === null ? 'idle' : 'looking' };
  return {
    state: answer !== null && answer.asked === asked ? answer.state : waiting,
    begin: () => setAsked({}),
    stop: () => setAsked(null),
  };
}

/** With what was seen inside, where it was not known before. */
export function withLook(plugin: PluginDetails, state: LookState): PluginDetails {
  if (plugin.installed || state.kind !== 'ready') return plugin;
  const { readme = state.look.readme, sizeBytes = state.look.sizeBytes, place } = plugin;
  const { commit } = state.look;
  return {
    ...plugin,
    sizeBytes,
    ...(readme !== undefined && { readme }),
    ...(place && commit !== undefined && { place: { ...place, commit } }),
  };
}
