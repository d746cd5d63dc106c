import { prettyJson } from '../../core/json.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';

/** Data beside the sentence of a failure: what a program wrote, a schema, an answer. */
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
