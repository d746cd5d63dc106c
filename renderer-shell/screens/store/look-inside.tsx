import { Button, Group, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PluginDetails, PluginLook } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { BroughtParts } from '../../ui/plugins/brought-page.tsx';
import { RunningParts } from '../../ui/plugins/running-parts.tsx';
import { PackageWarnings } from '../../ui/plugins/package-warnings.tsx';
import type { Looking } from './use-look.ts';

interface LookInsideProps {
  plugin: PluginDetails;
  looking: Looking;
}

/** What a plugin would bring, before it is installed. */
export function LookInside({ plugin, looking: { state, begin, stop } }: LookInsideProps) {
  const { t } = useTranslation();
  if (!plugin.installable) return null;
  return (
    <section aria-label={t('store.brings')} aria-busy={state.kind === 'looking' || undefined}>
      <h2>{t('store.brings')}</h2>
      {state.kind === 'idle' && (
        <>
          <p className="plain running-more">
            {t('store.lookInsideText', { from: placeName(plugin) })}
          </p>
          <Button size="xs" variant="default" mt="xs" onClick={begin}>
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
      {state.kind === 'failed' && <ErrorNote error={state.error} onRetry={begin} />}
      {state.kind === 'ready' && <Inside plugin={plugin} look={state.look} />}
    </section>
  );
}

function Inside({ plugin, look }: { plugin: PluginDetails; look: PluginLook }) {
  const { t } = useTranslation();
  const { contents, hooks, servers, warnings } = look;
  const isNothing = contents === undefined && plugin.uiEntry === '';
  const runs = hooks.length > 0 || servers.length > 0;
  return (
    <div className="store-inside">
      {(contents !== undefined || isNothing) && <BroughtParts plugin={look} />}
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

/** The computer that would be asked for it. */
function placeName({ place }: PluginDetails): string {
  if (!place) return '';
  const url = URL.parse(place.url);
  return url?.host ? url.host : place.url;
}
