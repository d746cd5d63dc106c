import { Button } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { Alert } from '../frame/alert.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';

/** Explains that a model must be set up before the first message. */
export function ModelSetupAlert() {
  const { t } = useTranslation();
  const { models, route } = useShell();
  const config = useStore(models);
  if (config === null || config.ready) return null;
  return (
    <Alert tone="warn" title={t('model.missing')}>
      <p className="plain">{t('model.missingText')}</p>
      <Button
        size="xs"
        variant="default"
        mt="xs"
        onClick={() => route.go({ area: 'settings', id: 'models' })}
      >
        {t('model.open')}
      </Button>
    </Alert>
  );
}
