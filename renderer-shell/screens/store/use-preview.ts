import { useEffect, useState } from 'react';
import type { PluginDetails, PluginPreview } from '../../../service/contract/index.ts';
import type { Market } from '../../state/market/market.ts';

export type PreviewState =
  | { kind: 'idle' }
  | { kind: 'looking' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'ready'; preview: PluginPreview };

/** The preview of a plugin that is not installed: its readme, permissions and contents. */
export interface PreviewLoader {
  state: PreviewState;
  /** Has the files of the plugin fetched and read. */
  start: () => void;
  /** Nothing is fetched any more, as when the page goes away. */
  stop: () => void;
}

/** What is in a plugin that is not installed; where nobody else has to be asked for it, it is read at once. */
export function usePreview(market: Market, plugin: PluginDetails): PreviewLoader {
  const { id, installed, installable, besideCatalog } = plugin;
  const atOnce = !installed && installable && besideCatalog === true;
  const [asked, setAsked] = useState<object | null>(atOnce ? {} : null);
  const [answer, setAnswer] = useState<{ asked: object; state: PreviewState } | null>(null);
  useEffect(() => {
    if (asked === null) return;
    const controller = new AbortController();
    const report = (state: PreviewState) => {
      if (!controller.signal.aborted) setAnswer({ asked, state });
    };
    market.preview(id, controller.signal).then(
      (preview) => report({ kind: 'ready', preview }),
      (error: unknown) => report({ kind: 'failed', error }),
    );
    return () => controller.abort();
  }, [market, id, asked]);
  const pending: PreviewState = { kind: asked === null ? 'idle' : 'looking' };
  return {
    state: answer !== null && answer.asked === asked ? answer.state : pending,
    start: () => setAsked({}),
    stop: () => setAsked(null),
  };
}

/** With what was seen inside, where it was not known before. */
export function withPreview(plugin: PluginDetails, state: PreviewState): PluginDetails {
  if (plugin.installed || state.kind !== 'ready') return plugin;
  const { readme = state.preview.readme, sizeBytes = state.preview.sizeBytes, place } = plugin;
  const { commit } = state.preview;
  return {
    ...plugin,
    sizeBytes,
    ...(readme !== undefined && { readme }),
    ...(place && commit !== undefined && { place: { ...place, commit } }),
  };
}
