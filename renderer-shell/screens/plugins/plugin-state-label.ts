import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { hasPage, pluginNeedsAttention } from '../../state/plugin-list.ts';

type Stated = Pick<MarketplacePlugin, 'enabled' | 'state' | 'uiEntry'>;

/**
 * Returns the message key for the state of a plugin; a plugin without a page has no worker state.
 */
export function stateLabelKey(plugin: Stated): string {
  if (!plugin.enabled) return 'state.disabled';
  return hasPage(plugin) ? `state.${plugin.state}` : 'state.enabled';
}

export function toneOf(plugin: Stated): 'good' | 'bad' | undefined {
  if (pluginNeedsAttention(plugin)) return 'bad';
  return plugin.enabled && hasPage(plugin) && plugin.state === 'running' ? 'good' : undefined;
}
