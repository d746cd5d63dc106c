import { useTranslation } from '../../core/messages/use-translation.ts';
import { sourceNameOf } from '../../state/market/source-name.ts';
import { FactTable } from '../frame/fact-table.tsx';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';

/** Enough digits of a commit to identify it. */
const COMMIT_DIGITS = 12;

/** Shows the known facts about a plugin as a table. */
export function PluginFacts({ plugin }: { plugin: MarketplacePlugin }) {
  const { t } = useTranslation();
  const facts = [
    ['about.id', plugin.id],
    ['about.version', plugin.version],
    ['about.author', plugin.author],
    ['about.source', sourceNameOf(plugin, t) ?? t(`source.${plugin.source}`)],
    ['about.commit', plugin.commit?.slice(0, COMMIT_DIGITS) ?? ''],
  ] as const;
  return <FactTable facts={facts.map(([label, value]) => [t(label), value])} labelWidth={110} />;
}
