import { Select, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { AiConfig } from '../../../service/contract/index.ts';
import { AiMode } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { BackendForm } from './backend-form.tsx';
import { ProviderSettings } from './provider-settings.tsx';
import { Setting } from '../../ui/forms/setting.tsx';

/** Edits the model that answers in chats. */
export function ModelSettings() {
  const { t } = useTranslation();
  const { models } = useShell();
  const config = useStore(models);
  const error = useStore(models.error);
  return (
    <section aria-label={t('model.title')}>
      <h2>{t('model.title')}</h2>
      {config === null && error === null && <Skeleton className="late" height={120} />}
      {config === null && error !== null && (
        <ErrorAlert error={error} onRetry={() => void models.refresh()} />
      )}
      {config !== null && <ModelChoice config={config} />}
      <ProviderSettings />
    </section>
  );
}

function ModelChoice({ config }: { config: AiConfig }) {
  const { t } = useTranslation();
  const { models } = useShell();
  const action = useAction();
  const { activeMode } = config;
  // The form of another backend is mounted at once, so that nothing typed into it is lost.
  const [chosen, setChosen] = useState<AiMode | null>(null);
  const mode = chosen ?? activeMode;
  const choose = async (next: AiMode) => {
    setChosen(next);
    await action.run(() => models.change({ activeMode: next }));
    setChosen(null);
  };
  return (
    <>
      {action.error !== null && <ErrorAlert error={action.error} />}
      <Setting label={t('model.backend')} text={t('model.backendText')}>
        {(labelId) => (
          <Select
            size="xs"
            w={300}
            aria-labelledby={labelId}
            value={mode}
            data={AiMode.options.map((value) => ({ value, label: t(`model.mode.${value}`) }))}
            onChange={(value) => value && void choose(value)}
            allowDeselect={false}
          />
        )}
      </Setting>
      <BackendForm key={mode} mode={mode} config={config} />
    </>
  );
}
