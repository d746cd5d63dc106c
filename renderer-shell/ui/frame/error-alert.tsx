import { Button } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { errorText } from '../../core/messages/error-text.ts';
import { FailureDetails } from './failure-details.tsx';
import { Alert } from './alert.tsx';

interface ErrorAlertProps {
  error: unknown;
  title?: string;
  onRetry?: () => void;
}

/** Shows an error in its context: the message, the details from the service, and a retry button. */
export function ErrorAlert({ error, title, onRetry }: ErrorAlertProps) {
  const { t } = useTranslation();
  const { text, details, data } = errorText(error);
  return (
    <Alert tone="bad" role="alert" title={title}>
      <p className="plain untrusted">{text}</p>
      {details.length > 0 && (
        <ul className="untrusted">
          {details.map(({ path, message }, index) => (
            <li key={index}>{path === '' ? message : `${path}: ${message}`}</li>
          ))}
        </ul>
      )}
      {data !== undefined && <FailureDetails details={data} />}
      {onRetry && (
        <Button size="xs" variant="default" mt="xs" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      )}
    </Alert>
  );
}
