import { useTranslation } from '../../core/messages/use-translation.ts';
import { sourceNameOf } from '../../state/market/source-name.ts';
import type { PluginDetails } from '../../../service/contract/index.ts';
import { sizeText } from '../../core/messages/amounts.ts';
import { categoryName } from '../../ui/plugins/category-name.ts';
import { PermissionList } from '../../ui/plugins/permission-list.tsx';

/** Enough digits of a commit to identify it. */
const commitDigits = 12;

/** Shows the known facts about a plugin. */
export function DetailsAside({ plugin }: { plugin: PluginDetails }) {
  const { t } = useTranslation();
  const facts = useFacts(plugin);
  const { permissions, keywords, place } = plugin;
  return (
    <aside className="store-aside" aria-label={t('store.facts')}>
      <dl className="store-facts">
        {facts
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="untrusted">{value}</dd>
            </div>
          ))}
      </dl>
      {/* Plugins from repositories have no permissions: they are trusted or do not run. */}
      {place?.kind !== 'git' && <PermissionList permissions={permissions} added={[]} />}
      {keywords.length > 0 && (
        <ul className="brought-names" aria-label={t('store.keywords')}>
          {keywords.map((keyword) => (
            <li key={keyword} className="untrusted">
              {keyword}
            </li>
          ))}
        </ul>
      )}
    </aside>
  );
}

function useFacts(plugin: PluginDetails): [label: string, value: string | undefined][] {
  const { t, language } = useTranslation();
  const { id, version, author, source, category, versions = [], homepage } = plugin;
  const { sizeBytes, dataSizeBytes, installedVersion, signedBy } = plugin;
  const size = (bytes: number | undefined) =>
    bytes === undefined ? undefined : sizeText(bytes, language);
  return [
    [t('about.author'), author],
    [t('about.version'), installedVersion ?? version],
    [t('store.versions'), installedVersion === null ? '' : versions.join(', ')],
    [t('about.source'), sourceNameOf(plugin, t) ?? t(`source.${source}`)],
    [t('store.signedBy'), signedBy && `${signedBy.name} · ${signedBy.fingerprint}`],
    [t('store.category'), category === '' ? '' : categoryName(t, category)],
    [t('install.size'), size(sizeBytes)],
    [t('store.dataSize'), size(dataSizeBytes)],
    ...useOriginFacts(plugin),
    [t('store.homepage'), homepage],
    [t('about.id'), id],
  ];
}

/** Returns the origin of a plugin's files. */
function useOriginFacts({ place }: PluginDetails): [label: string, value: string | undefined][] {
  const { t } = useTranslation();
  if (!place) return [];
  return [
    [t(place.kind === 'package' ? 'store.package' : 'store.repository'), place.url],
    [t('store.folder'), place.path],
    [t('store.branch'), place.ref],
    [t('about.commit'), place.commit?.slice(0, commitDigits)],
  ];
}
