import { useTranslation } from '../../core/messages/use-translation.ts';
import type { RunDetails } from '../../../service/contract/index.ts';
import { FailureText } from '../../ui/frame/failure-text.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { runOutcomeText } from '../../core/messages/notification-text.ts';

/** Shows the outcome of a run and what it means. */
export function RunEnd({ details }: { details: RunDetails }) {
  const { t } = useTranslation();
  const { status } = details;
  const outcomeText = runOutcomeText(details);
  if (status === 'completed') {
    return (
      <Alert tone="good" title={t('agent.end.completed')}>
        {outcomeText !== undefined && <p className="plain untrusted run-summary">{outcomeText}</p>}
      </Alert>
    );
  }
  if (status === 'failed') {
    return (
      <Alert tone="bad" title={t('agent.end.failed')}>
        {outcomeText !== undefined && (
          <FailureText
            text={details.error ?? outcomeText}
            message={details.errorMessage}
            details={details.details}
          />
        )}
        <p className="plain">{t('agent.end.failedText')}</p>
      </Alert>
    );
  }
  if (status === 'interrupted') {
    return (
      <Alert tone="warn" title={t('agent.end.interrupted')}>
        <p className="plain">{t('agent.end.interruptedText')}</p>
      </Alert>
    );
  }
  if (status === 'cancelled') return <p className="turn-end">{t('agent.end.cancelled')}</p>;
  return null;
}
