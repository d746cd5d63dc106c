import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { isTroubled } from '../../state/plugin-list.ts';

type Stated = Pick<MarketplacePlugin, 'enabled' | 'state'>;

/** The key of the word for what a plugin is doing. */
export const stateWord = ({ enabled, state }: Stated): string =>
  enabled ? `state.${state}` : 'state.disabled';

export function toneOf(plugin: Stated): 'good' | 'bad' | undefined {
  if (isTroubled(plugin)) return 'bad';
  return plugin.enabled && plugin.state === 'running' ? 'good' : undefined;
}
