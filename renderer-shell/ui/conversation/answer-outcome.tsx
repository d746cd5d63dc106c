import { Button } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MessageOutcome } from '../../../service/contract/index.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { Alert } from '../frame/alert.tsx';
import { useAction } from '../frame/use-action.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import { FailureText } from '../frame/failure-text.tsx';

interface AnswerOutcomeProps {
  outcome: MessageOutcome;
  isLast: boolean;
  conversation: Conversation;
}

/** Explains why an answer is unfinished. */
export function AnswerOutcome({ outcome, isLast, conversation }: AnswerOutcomeProps) {
  const { t } = useTranslation();
  const action = useAction();
  if (outcome.state === 'cancelled') {
    const { text, message } = outcome;
    return (
      <p className="turn-end">
        {message === undefined ? t('chat.stopped') : hostMessage(text, message)}
      </p>
    );
  }
  return (
    <>
      <Alert tone="bad" title={t('chat.failed')} {...(isLast && { role: 'alert' })}>
        <FailureText
          text={outcome.message ?? (outcome.state === 'interrupted' ? t('chat.interrupted') : '')}
          message={outcome.text}
          details={outcome.details}
        />
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
