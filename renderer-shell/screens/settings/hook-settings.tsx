import { Button, Skeleton } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { HookStatus, MarketplacePlugin } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { TrustSection } from '../../ui/plugins/trust-section.tsx';
import type { Hook } from './hook-form.tsx';
import { HookForm, hookDraft } from './hook-form.tsx';
import { HookRow } from './hook-row.tsx';

/** Lists the commands and addresses that are called before and after tools, with their results. */
export function HookSettings() {
  const { t } = useTranslation();
  const { client, settings, drafts } = useShell();
  const { hooks } = useStore(settings);
  const load = useCallback(() => client.call(api.hooks.status), [client]);
  const { state, refresh } = useLoaded(load);
  const [isAdding, setAdding] = useState(() => drafts.has(hookDraft(null)));
  const last: HookStatus[] = state.kind === 'ready' ? state.value : [];
  const store = async (next: Hook[]) => {
    await settings.change({ hooks: next });
    refresh();
  };
  return (
    <>
      <section aria-label={t('hooks.own')}>
        <h2>{t('hooks.own')}</h2>
        <p className="plain setting-text">{t('hooks.text')}</p>
        {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
        {hooks.length === 0 && <p className="plain setting-text">{t('hooks.none')}</p>}
        <ul className="running-parts" aria-label={t('hooks.own')}>
          {hooks.map((hook, index) => (
            <HookRow
              key={`${index} ${hook.name}`}
              hook={hook}
              last={last.find((one) => one.hook === hook.name)}
              onChange={(next) =>
                store(
                  next === null
                    ? hooks.filter((_, at) => at !== index)
                    : hooks.map((one, at) => (at === index ? next : one)),
                )
              }
            />
          ))}
        </ul>
        {isAdding ? (
          <HookForm
            hook={null}
            onStore={(hook) => store([...hooks, hook])}
            onDone={() => setAdding(false)}
          />
        ) : (
          <Button size="xs" mt="sm" onClick={() => setAdding(true)}>
            {t('hooks.add')}
          </Button>
        )}
      </section>
      <ContributedHooks />
    </>
  );
}

/** Lists the hooks of plugins, which run once their plugin is trusted. */
function ContributedHooks() {
  const { t } = useTranslation();
  const { client, plugins } = useShell();
  useStore(plugins.state);
  const load = useCallback(() => client.call(api.contributions.hooks), [client]);
  const { state, refresh } = useLoaded(load);
  if (state.kind === 'loading') return <Skeleton className="late" height={80} />;
  if (state.kind === 'failed') return <ErrorAlert error={state.error} onRetry={refresh} />;
  const found = state.value
    .filter(({ hooks }) => hooks.length > 0)
    .map(({ pluginId }) => plugins.find(pluginId))
    .filter((plugin): plugin is MarketplacePlugin => plugin !== undefined);
  return (
    <section aria-label={t('hooks.brought')}>
      <h2>{t('hooks.brought')}</h2>
      {found.length === 0 && <p className="plain setting-text">{t('hooks.noneBrought')}</p>}
      {found.map((plugin) => (
        <div key={plugin.id}>
          <h3 className="untrusted">{plugin.name}</h3>
          <TrustSection plugin={plugin} />
        </div>
      ))}
    </section>
  );
}
