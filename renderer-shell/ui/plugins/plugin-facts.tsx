import { useTranslation } from 'react-i18next';
import { sourceNameOf } from '../../state/market/source-name.ts';
import { FactTable } from '../frame/fact-table.tsx';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';

/** As much of a commit as people need to tell one from another. */
const COMMIT_DIGITS = 12;

/** What is known of a plugin, as a table; what is not known is left out. */
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
