import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { Alert } from '../frame/alert.tsx';
import { PluginFacts } from './plugin-facts.tsx';
import { TrustSection } from './trust-section.tsx';

/** Describes a plugin without a page and lists its contributions. */
export function ContributionsPage({ plugin }: { plugin: MarketplacePlugin }) {
  const { t } = useTranslation();
  return (
    <article className="brought" tabIndex={0} aria-label={plugin.name}>
      {plugin.description !== '' && <p className="brought-text untrusted">{plugin.description}</p>}
      {!plugin.enabled && <Alert tone="accent">{t('brought.disabled')}</Alert>}
      <ContributionList plugin={plugin} />
      <TrustSection plugin={plugin} />
      <PluginFacts plugin={plugin} />
    </article>
  );
}

const PARTS = ['skills', 'commands', 'agents'] as const;

/** Lists the names of a plugin's contributions for the model. */
export function ContributionList({
  plugin: { contents },
}: {
  plugin: Pick<MarketplacePlugin, 'contents'>;
}) {
  const { t } = useTranslation();
  if (!contents) return <p className="plain running-more">{t('brought.nothing')}</p>;
  return PARTS.filter((part) => contents[part].length > 0).map((part) => (
    <section key={part}>
      <h2>{t(`brought.${part}`)}</h2>
      <p className="plain running-more">{t(`brought.${part}Text`)}</p>
      <ul className="brought-names" aria-label={t(`brought.${part}`)}>
        {contents[part].map((name) => (
          <li key={name} className="untrusted">
            {name}
          </li>
        ))}
      </ul>
    </section>
  ));
}
