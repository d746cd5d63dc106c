import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { RunDetails, RunEvent } from '../../../service/contract/index.ts';
import { CodeEditor } from '../../ui/editor/code-editor.tsx';
import { exactTime } from '../../core/messages/amounts.ts';

/** Shows the stored events of the run, in order. */
export function AuditList({ details: { events } }: { details: RunDetails }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details className="audit" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="agent-heading">
        {t('agent.audit.title')}
        <span className="quiet">{t('agent.audit.count', { count: events.length })}</span>
      </summary>
      {open && (
        <ol className="audit-events">
          {events.map((event) => (
            <AuditEvent key={event.sequence} event={event} />
          ))}
        </ol>
      )}
    </details>
  );
}

function AuditEvent({ event: { at, type, data } }: { event: RunEvent }) {
  const { t, language } = useTranslation();
  const [open, setOpen] = useState(false);
  const { index, reason, by, message } = data;
  const detail = [reason, message].find((one) => typeof one === 'string');
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <time dateTime={at} title={exactTime(at, language)}>
            {new Date(at).toLocaleTimeString(language)}
          </time>
          <span className="audit-what">
            {t(`agent.audit.type.${type}`, { defaultValue: type })}
            {typeof index === 'number' && <span className="step-number">{index + 1}</span>}
          </span>
          <span className="tool-gist untrusted">
            {typeof by === 'string' && `${t(`agent.approvedBy.${by}`, { defaultValue: by })} `}
            {detail}
          </span>
        </summary>
        {open && <CodeEditor label={type} value={JSON.stringify(data, null, 2)} lines={3} />}
      </details>
    </li>
  );
}
