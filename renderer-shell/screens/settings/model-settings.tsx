import { Button, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AiConfig } from '../../../service/contract/index.ts';
import { AiMode } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../frame/error-note.tsx';
import { useAction } from '../../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../store.ts';
import { BackendForm } from './backend-form.tsx';
import { Setting } from './setting.tsx';

/** Who answers in chats. */
export function ModelSettings() {
  const { t } = useTranslation();
  const { models } = useShell();
  const config = useStore(models);
  return (
    <section aria-label={t('model.title')}>
      <h2>{t('model.title')}</h2>
      {config === null ? (
        <Button size="xs" variant="default" onClick={() => void models.refresh()}>
          {t('action.retry')}
        </Button>
      ) : (
        <ModelChoice config={config} />
      )}
    </section>
  );
}

function ModelChoice({ config }: { config: AiConfig }) {
  const { t } = useTranslation();
  const { models } = useShell();
  const action = useAction();
  const { activeMode } = config;
  return (
    <>
      {action.error !== null && <ErrorNote error={action.error} />}
      <Setting label={t('model.backend')} text={t('model.backendText')}>
        {(labelId) => (
          <Select
            size="xs"
            w={300}
            aria-labelledby={labelId}
            value={activeMode}
            data={AiMode.options.map((value) => ({ value, label: t(`model.mode.${value}`) }))}
            onChange={(value) =>
              value && void action.run(() => models.change({ activeMode: value }))
            }
            allowDeselect={false}
          />
        )}
      </Setting>
      <BackendForm key={activeMode} mode={activeMode} config={config} />
    </>
  );
}
