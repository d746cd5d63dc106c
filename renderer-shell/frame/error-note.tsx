import { Alert, Button, List } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../words/error-text.ts';

interface ErrorNoteProps {
  error: unknown;
  title?: string;
  onRetry?: () => void;
}

/** A failure where it happened: what was wrong, the details the service named, and a way to go on. */
export function ErrorNote({ error, title, onRetry }: ErrorNoteProps) {
  const { t } = useTranslation();
  const { text, details } = errorText(error);
  return (
    <Alert color="red" role="alert" title={title}>
      <p className="plain untrusted">{text}</p>
      {details.length > 0 && (
        <List size="sm" mt={4} className="untrusted">
          {details.map(({ path, message }, index) => (
            <List.Item key={index}>{path === '' ? message : `${path}: ${message}`}</List.Item>
          ))}
        </List>
      )}
      {onRetry && (
        <Button size="xs" variant="default" mt="xs" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      )}
    </Alert>
  );
}
