import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Note } from '../frame/note.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';

/** Nothing can be said before a model is set up. */
export function ModelNotice() {
  const { t } = useTranslation();
  const { models, route } = useShell();
  const config = useStore(models);
  if (config === null || config.ready) return null;
  return (
    <Note tone="warn" title={t('model.missing')}>
      <p className="plain">{t('model.missingText')}</p>
      <Button
        size="xs"
        variant="default"
        mt="xs"
        onClick={() => route.go({ area: 'settings', id: 'models' })}
      >
        {t('model.open')}
      </Button>
    </Note>
  );
}
