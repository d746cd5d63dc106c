import { Button, Group, Loader } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { PluginDetails, PluginPreview } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { ContributionList } from '../../ui/plugins/contributions-page.tsx';
import { RunningParts } from '../../ui/plugins/running-parts.tsx';
import { PackageWarnings } from '../../ui/plugins/package-warnings.tsx';
import type { PreviewLoader } from './use-preview.ts';

interface PreviewSectionProps {
  plugin: PluginDetails;
  preview: PreviewLoader;
}

/** Shows the contributions of a plugin before it is installed. */
export function PreviewSection({ plugin, preview: { state, start, stop } }: PreviewSectionProps) {
  const { t } = useTranslation();
  if (!plugin.installable) return null;
  return (
    <section aria-label={t('store.brings')} aria-busy={state.kind === 'looking' || undefined}>
      <h2>{t('store.brings')}</h2>
      {state.kind === 'idle' && (
        <>
          <p className="plain running-more">
            {t('store.lookInsideText', { from: originHost(plugin) })}
          </p>
          <Button size="xs" variant="default" mt="xs" onClick={start}>
            {t('store.lookInside')}
          </Button>
        </>
      )}
      {state.kind === 'looking' && (
        <Group gap="xs" role="status">
          <Loader size="xs" aria-hidden />
          <span className="running-more">{t('store.lookingInside')}</span>
          <Button size="xs" variant="subtle" onClick={stop}>
            {t('action.cancel')}
          </Button>
        </Group>
      )}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={start} />}
      {state.kind === 'ready' && <PreviewContent plugin={plugin} preview={state.preview} />}
    </section>
  );
}

function PreviewContent({ plugin, preview }: { plugin: PluginDetails; preview: PluginPreview }) {
  const { t } = useTranslation();
  const { contents, hooks, servers, warnings } = preview;
  const isNothing = contents === undefined && plugin.uiEntry === '';
  const runs = hooks.length > 0 || servers.length > 0;
  return (
    <div className="store-inside">
      {(contents !== undefined || isNothing) && <ContributionList plugin={preview} />}
      {runs && (
        <section aria-label={t('trust.section')}>
          <h2>{t('trust.section')}</h2>
          <p className="plain running-more">{t('store.trustLater')}</p>
          <RunningParts trust={{ pluginId: plugin.id, hooks, servers }} />
        </section>
      )}
      <PackageWarnings warnings={warnings} />
    </div>
  );
}

/** Returns the host that the files would be fetched from. */
function originHost({ place }: PluginDetails): string {
  if (!place) return '';
  const url = URL.parse(place.url);
  return url?.host ? url.host : place.url;
}
