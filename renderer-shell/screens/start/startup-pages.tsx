import { Button, Loader } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { errorText } from '../../core/messages/error-text.ts';
import { StartLayout } from '../../ui/frame/start-layout.tsx';

/** Shown until the phase is known; the logo appears only if that takes a while. */
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

/** Shown if the service could not report its state. */
export function FailedPage({ error, onRetry }: FailedPageProps) {
  const { t } = useTranslation();
  return (
    <StartLayout title={t('start.failed')} intro={errorText(error).text}>
      <Button onClick={onRetry}>{t('action.retry')}</Button>
    </StartLayout>
  );
}
