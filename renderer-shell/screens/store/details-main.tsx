import { useTranslation } from '../../core/messages/use-translation.ts';
import type { PluginDetails } from '../../../service/contract/index.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import type { Market } from '../../state/market/market.ts';
import { ContributionList } from '../../ui/plugins/contributions-page.tsx';
import { PermissionList } from '../../ui/plugins/permission-list.tsx';
import { TrustSection } from '../../ui/plugins/trust-section.tsx';
import { InstallProgress } from './install-progress.tsx';
import { PreviewSection } from './preview-section.tsx';
import { hasNoContributions, PluginWarnings } from './plugin-warnings.tsx';
import { Readme } from './readme.tsx';
import type { PreviewLoader } from './use-preview.ts';
import { useStore } from '../../core/store.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

interface DetailsMainProps {
  market: Market;
  plugin: PluginDetails;
  preview: PreviewLoader;
}

/** Shows the description of a plugin, the progress of its installation, and its contributions. */
export function DetailsMain({ market, plugin, preview }: DetailsMainProps) {
  const { t } = useTranslation();
  const { description, installed, installable, notInstallableReason, readme } = plugin;
  const wasRead = installed || preview.state.kind === 'ready';
  return (
    <div className="store-main">
      {description !== '' && <p className="brought-text untrusted">{description}</p>}
      <InstallProgress market={market} plugin={plugin} />
      {!installable && !installed && (
        <Alert tone="warn" title={t('store.notInstallableTitle')}>
          <p className="plain untrusted">
            {notInstallableReason === undefined
              ? t('store.notInstallableText')
              : hostMessage(plugin.notInstallableReasonMessage, notInstallableReason)}
          </p>
        </Alert>
      )}
      <UnusableParts market={market} plugin={plugin} />
      <NewPermissions plugin={plugin} />
      <NeedsNetwork plugin={plugin} />
      {installed ? (
        <Contributions plugin={plugin} />
      ) : (
        <PreviewSection plugin={plugin} preview={preview} />
      )}
      <section aria-label={t('store.readme')}>
        <h2>{t('store.readme')}</h2>
        {readme !== undefined && readme.trim() !== '' ? (
          <Readme text={readme} />
        ) : (
          <p className="plain running-more">
            {t(wasRead ? 'store.noReadme' : 'store.readmeLater')}
          </p>
        )}
      </section>
    </div>
  );
}

function NeedsNetwork({ plugin }: { plugin: PluginDetails }) {
  const { t } = useTranslation();
  if (plugin.installed || !plugin.installable || plugin.needsNetwork !== true) return null;
  return <p className="plain running-more">{t('store.needsNetwork')}</p>;
}

/**
 * Lists what an installation leaves out; after an installation, its progress already lists that.
 */
function UnusableParts({ market, plugin }: Pick<DetailsMainProps, 'market' | 'plugin'>) {
  const { t } = useTranslation();
  const installing = useStore(market.installs.state).get(plugin.id);
  const { warnings = [] } = plugin;
  if (warnings.length === 0 || (installing && installing.warnings.length > 0)) return null;
  const title = hasNoContributions(warnings) ? 'store.nothingUsable' : 'store.partlyUsable';
  return (
    <Alert tone="warn" title={t(title)}>
      <PluginWarnings warnings={warnings} />
    </Alert>
  );
}

/** Lists the permissions that an update would add. */
function NewPermissions({ plugin }: { plugin: PluginDetails }) {
  const { t } = useTranslation();
  const { updateAvailable, offered } = plugin;
  if (!updateAvailable || !offered || offered.addedPermissions.length === 0) return null;
  return (
    <Alert tone="warn" title={t('store.asksMore', { count: offered.addedPermissions.length })}>
      <PermissionList permissions={offered.permissions} added={offered.addedPermissions} />
    </Alert>
  );
}

function Contributions({ plugin }: { plugin: PluginDetails }) {
  const { contents, uiEntry } = plugin;
  return (
    <>
      {(contents !== undefined || uiEntry === '') && <ContributionList plugin={plugin} />}
      <TrustSection plugin={plugin} />
    </>
  );
}
