import { Button, Group, Skeleton } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin, PluginTrust } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { Alert } from '../frame/alert.tsx';
import type { Action } from '../frame/use-action.ts';
import { useAction } from '../frame/use-action.ts';
import { useLoaded } from '../frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { PackageWarnings } from './package-warnings.tsx';
import { RunningParts } from './running-parts.tsx';
import { TrustDialog } from './trust-dialog.tsx';
import type { Trusting } from './use-trust.ts';
import { useTrust } from './use-trust.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

/** Shows the hooks and MCP servers of a plugin, with the choice whether they may run. */
export function TrustSection({ plugin }: { plugin: MarketplacePlugin }) {
  // Another version is loaded anew.
  return <TrustOfVersion key={`${plugin.id} ${plugin.version} ${plugin.commit}`} plugin={plugin} />;
}

function TrustOfVersion({ plugin }: { plugin: MarketplacePlugin }) {
  const { t } = useTranslation();
  const trusting = useTrust(plugin.id);
  const { state } = trusting;
  if (state.kind === 'ready' && state.value === null) return null;
  return (
    <section aria-label={t('trust.section')}>
      <h2>{t('trust.section')}</h2>
      {state.kind === 'loading' && <Skeleton className="late" height={80} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={trusting.refresh} />}
      {state.kind === 'ready' && state.value && (
        <TrustBody plugin={plugin} trust={state.value} trusting={trusting} />
      )}
    </section>
  );
}

interface TrustBodyProps {
  plugin: MarketplacePlugin;
  trust: PluginTrust;
  trusting: Trusting;
}

const TONES = { untrusted: 'accent', trusted: 'good', changed: 'warn' } as const;

function TrustBody({ plugin, trust, trusting }: TrustBodyProps) {
  const { t } = useTranslation();
  const action = useAction();
  const [asking, setAsking] = useState(false);
  const ask = async () => {
    // Reloads first, so that the confirmation shows the current content.
    if (await action.run(trusting.reload)) setAsking(true);
  };
  return (
    <>
      <Alert tone={TONES[trust.state]} title={t(`trust.state.${trust.state}`)}>
        <p className="plain">{t(`trust.text.${trust.state}`)}</p>
        {!plugin.enabled && <p className="plain">{t('trust.disabled')}</p>}
        <TrustButtons trust={trust} trusting={trusting} action={action} onAsk={() => void ask()} />
      </Alert>
      {action.error !== null && (
        <div className="below">
          <ErrorAlert error={action.error} />
        </div>
      )}
      <HookFailures pluginId={plugin.id} />
      <RunningParts trust={trust} />
      <PackageWarnings
        warnings={trust.warnings.map(({ part, reason, reasonMessage }) => ({
          path: part,
          message: reason,
          text: reasonMessage,
        }))}
      />
      <TrustDialog
        plugin={plugin}
        trust={trust}
        opened={asking}
        onTrust={() => action.run(trusting.trust)}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

/** Shows hooks of the plugin whose last call failed. */
function HookFailures({ pluginId }: { pluginId: string }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(() => client.call(api.hooks.status), [client]);
  const { state } = useLoaded(load);
  if (state.kind !== 'ready') return null;
  const prefix = `plugin/${pluginId}/`;
  const failed = state.value.filter(
    ({ hook, lastResult }) => hook.startsWith(prefix) && lastResult === 'could_not_run',
  );
  return failed.map(({ hook, event, warning = '', warningMessage }) => (
    <div className="below" key={`${event} ${hook}`}>
      <Alert
        tone="bad"
        role="alert"
        title={t('trust.hookFailed', { name: hook.slice(prefix.length) })}
      >
        <p className="plain untrusted">{hostMessage(warningMessage, warning)}</p>
      </Alert>
    </div>
  ));
}

interface TrustButtonsProps {
  trust: PluginTrust;
  trusting: Trusting;
  action: Action;
  onAsk: () => void;
}

function TrustButtons({ trust, trusting, action, onAsk }: TrustButtonsProps) {
  const { t } = useTranslation();
  const revoke = () => void action.run(trusting.revoke);
  const trusted = trust.state === 'trusted';
  // The first button stays the same element and enabled, so that it keeps the focus.
  return (
    <Group gap="xs" mt="xs">
      <Button size="xs" variant="default" onClick={trusted ? revoke : onAsk}>
        {t(trust.state === 'trusted' ? 'trust.takeBack' : `trust.ask.${trust.state}`)}
      </Button>
      {trust.state === 'changed' && (
        <Button size="xs" variant="default" onClick={revoke}>
          {t('trust.takeBack')}
        </Button>
      )}
    </Group>
  );
}
