import { Button, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/messages/error-text.ts';
import { StartLayout } from '../../ui/frame/start-layout.tsx';

/** Shown while it is not yet known what to show; the mark appears only when that takes a while. */
export function StartingPage() {
  const { t } = useTranslation();
  return (
    <main className="start" aria-busy="true" aria-label={t('start.connecting')}>
      <div className="late">
        <Loader size="sm" />
      </div>
    </main>
  );
}

interface FailedPageProps {
  error: unknown;
  onRetry: () => void;
}

/** The service could not be asked what state it is in. */
export function FailedPage({ error, onRetry }: FailedPageProps) {
  const { t } = useTranslation();
  return (
    <StartLayout title={t('start.failed')} intro={errorText(error).text}>
      <Button onClick={onRetry}>{t('action.retry')}</Button>
    </StartLayout>
  );
}
