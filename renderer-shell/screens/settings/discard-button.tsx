import { Button } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Draft } from '../../ui/frame/use-draft.ts';

/** Restores the stored values; shown if the form was edited. */
export function DiscardButton<T>({ draft }: { draft: Pick<Draft<T>, 'isChanged' | 'drop'> }) {
  const { t } = useTranslation();
  if (!draft.isChanged) return null;
  return (
    <Button size="xs" variant="default" onClick={draft.drop}>
      {t('sections.discard')}
    </Button>
  );
}
