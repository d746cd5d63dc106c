import { useEffect, useState } from 'react';
import type { PluginDetails, PluginPreview } from '../../../service/contract/index.ts';
import type { Market } from '../../state/market/market.ts';

export type PreviewState =
  | { kind: 'idle' }
  | { kind: 'looking' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'ready'; preview: PluginPreview };

/** Loads the preview of a plugin. */
export interface PreviewLoader {
  state: PreviewState;
  /** Fetches and reads the files of the plugin. */
  start: () => void;
  /** Cancels fetching, as leaving the page does. */
  stop: () => void;
}

/**
 * Loads the content of a plugin that is not installed. It starts at once if that contacts no other
 * host than the source.
 */
export function usePreview(market: Market, plugin: PluginDetails): PreviewLoader {
  const { id, installed, installable, besideCatalog } = plugin;
  const startsImmediately = !installed && installable && besideCatalog === true;
  const [asked, setAsked] = useState<object | null>(startsImmediately ? {} : null);
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

/** Returns the plugin with facts from its preview that were unknown before. */
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
