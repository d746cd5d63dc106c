import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Characters; longer texts are shown whole on request. */
const shownAtOnce = 20_000;

/** A stranger's text as it is. */
export function LongText({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const isLong = text.length > shownAtOnce;
  return (
    <div>
      <h3>{label}</h3>
      <pre className="mcp-text untrusted" tabIndex={0} aria-label={label}>
        {all || !isLong ? text : `${text.slice(0, shownAtOnce)}…`}
      </pre>
      {isLong && !all && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          {t('tool.showAll', { count: text.length })}
        </button>
      )}
    </div>
  );
}
