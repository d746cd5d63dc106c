import { prettyJson } from '../../core/json.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';

/** Shows data about an error: program output, a schema, a response. */
export function FailureDetails({ details }: { details: string }) {
  const { t } = useTranslation();
  return (
    <details className="failure-details">
      <summary>{t('error.details')}</summary>
      <pre className="failure-data untrusted" tabIndex={0}>
        {prettyJson(details)}
      </pre>
    </details>
  );
}
