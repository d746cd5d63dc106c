import { Button } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MessageOutcome } from '../../../service/contract/index.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { FailureDetails } from '../frame/failure-details.tsx';
import { Alert } from '../frame/alert.tsx';
import { useAction } from '../frame/use-action.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

interface AnswerOutcomeProps {
  outcome: MessageOutcome;
  isLast: boolean;
  conversation: Conversation;
}

/** Explains why an answer is unfinished. */
export function AnswerOutcome({ outcome, isLast, conversation }: AnswerOutcomeProps) {
  const { t } = useTranslation();
  const action = useAction();
  const message = outcome.message === undefined ? null : hostMessage(outcome.text, outcome.message);
  if (outcome.state === 'cancelled')
    return <p className="turn-end">{message ?? t('chat.stopped')}</p>;
  const text = message ?? (outcome.state === 'interrupted' ? t('chat.interrupted') : '');
  return (
    <>
      <Alert tone="bad" title={t('chat.failed')} {...(isLast && { role: 'alert' })}>
        <p className="plain untrusted">{text}</p>
        {outcome.details !== undefined && <FailureDetails details={outcome.details} />}
        {isLast && (
          <Button
            size="xs"
            variant="default"
            mt="xs"
            loading={action.busy}
            onClick={() => void action.run(() => conversation.retry())}
          >
            {t('chat.retry')}
          </Button>
        )}
      </Alert>
      {action.error !== null && <ErrorAlert error={action.error} />}
    </>
  );
}
