import { Button, Group, Progress } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import type { Installing } from '../../state/market/installing.ts';
import { isRunning, overallPercent } from '../../state/market/installing.ts';
import type { Market } from '../../state/market/market.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { PluginWarnings } from './plugin-warnings.tsx';
import { FailureText } from '../../ui/frame/failure-text.tsx';

interface InstallProgressProps {
  market: Market;
  plugin: MarketplacePlugin;
}

/** Shows the progress and outcome of an installation with its actions. */
export function InstallProgress({ market, plugin }: InstallProgressProps) {
  const { t } = useTranslation();
  const { id } = plugin;
  const installing = useStore(market.installs.state).get(id);
  if (!installing) return null;
  const { kind, state } = installing;
  if (isRunning(installing)) return <Running market={market} id={id} installing={installing} />;
  if (state === 'failed') return <Failed market={market} id={id} installing={installing} />;
  const { warnings } = installing;
  return (
    <Alert
      tone={state !== 'completed' ? 'accent' : warnings.length > 0 ? 'warn' : 'good'}
      role="status"
      title={t(`store.${state === 'completed' ? 'done' : 'cancelled'}.${kind}`)}
    >
      <PluginWarnings warnings={warnings} />
      {state === 'completed' && <NextStep market={market} plugin={plugin} />}
      {state === 'cancelled' && (
        <Group gap="xs" mt="xs">
          <Button size="xs" variant="default" onClick={() => void market.request(kind, id)}>
            {t('store.tryAgain')}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

interface PartProps {
  market: Market;
  id: string;
  installing: Installing;
}

function Running({ market, id, installing }: PartProps) {
  const { t } = useTranslation();
  const action = useAction();
  const { kind, phase, state } = installing;
  const percent = overallPercent(installing);
  const phases = ['waiting', 'resolving', 'receiving', 'writing', 'installing', 'done'];
  const title = t(`store.running.${kind}`);
  return (
    <div className="store-progress" role="group" aria-label={title}>
      <p className="store-progress-text">
        <strong>{title}</strong>{' '}
        <span role="status" className="untrusted">
          {state === 'queued'
            ? t('store.phase.queued')
            : phases.includes(phase)
              ? t(`store.phase.${phase}`)
              : phase}
        </span>
      </p>
      <Group gap="sm" wrap="nowrap">
        <Progress
          className="store-progress-bar"
          value={percent ?? 100}
          animated={percent === null}
          aria-label={title}
        />
        <Button
          size="xs"
          variant="default"
          loading={action.busy}
          onClick={() => void action.run(() => market.installs.cancel(id))}
        >
          {t('action.cancel')}
        </Button>
      </Group>
      <p className="running-more">{t('store.goesOn')}</p>
      {action.error !== null && <ErrorAlert error={action.error} />}
    </div>
  );
}

function Failed({ market, id, installing }: PartProps) {
  const { t } = useTranslation();
  const { kind, message, text, error } = installing;
  const title = t(`store.failedTo.${kind}`);
  const retry = () => void market.request(kind, id);
  if (message === null) return <ErrorAlert title={title} error={error} onRetry={retry} />;
  return (
    <Alert tone="bad" role="alert" title={title}>
      <FailureText text={message} message={text} />
      <Button size="xs" variant="default" mt="xs" onClick={retry}>
        {t('action.retry')}
      </Button>
    </Alert>
  );
}

/** Offers the usual next step after an installation. */
function NextStep({ market, plugin }: InstallProgressProps) {
  const { t } = useTranslation();
  const { route } = useShell();
  const { id, contents } = plugin;
  const runs = contents !== undefined && contents.hooks.length + contents.mcpServers.length > 0;
  return (
    <>
      {runs && <p className="plain">{t('store.trustNext')}</p>}
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={() => route.go({ area: 'plugins', id })}>
          {t('store.open')}
        </Button>
        <Button size="xs" variant="subtle" onClick={() => market.installs.dismiss(id)}>
          {t('store.dismiss')}
        </Button>
      </Group>
    </>
  );
}
