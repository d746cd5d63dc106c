import { useTranslation } from 'react-i18next';

/** Data beside the sentence of a failure: what a program wrote, a schema, an answer. */
export function FailureDetails({ details }: { details: string }) {
  const { t } = useTranslation();
  return (
    <details className="failure-details">
      <summary>{t('error.details')}</summary>
      <pre className="failure-data untrusted" tabIndex={0}>
        {readable(details)}
      </pre>
    </details>
  );
}

/** JSON on several lines. */
function readable(details: string): string {
  if (!/^\s*[{[]/.test(details)) return details;
  try {
    return JSON.stringify(JSON.parse(details), null, 2);
  } catch {
    return details;
  }
}
