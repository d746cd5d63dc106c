import { useTranslation } from 'react-i18next';
import type { RunDetails } from '../../../service/contract/index.ts';
import { FailureDetails } from '../../ui/frame/failure-details.tsx';
import { Note } from '../../ui/frame/note.tsx';
import { runEndWords } from '../../core/messages/notice-words.ts';

/** How the run ended, and what that means. */
export function RunEnd({ details }: { details: RunDetails }) {
  const { t } = useTranslation();
  const { status } = details;
  const said = runEndWords(details);
  if (status === 'completed') {
    return (
      <Note tone="good" title={t('agent.end.completed')}>
        {said !== undefined && <p className="plain untrusted run-summary">{said}</p>}
      </Note>
    );
  }
  if (status === 'failed') {
    return (
      <Note tone="bad" title={t('agent.end.failed')}>
        {said !== undefined && <p className="plain untrusted run-summary">{said}</p>}
        {details.details !== undefined && <FailureDetails details={details.details} />}
        <p className="plain">{t('agent.end.failedText')}</p>
      </Note>
    );
  }
  if (status === 'interrupted') {
    return (
      <Note tone="warn" title={t('agent.end.interrupted')}>
        <p className="plain">{t('agent.end.interruptedText')}</p>
      </Note>
    );
  }
  if (status === 'cancelled') return <p className="turn-end">{t('agent.end.cancelled')}</p>;
  return null;
}
