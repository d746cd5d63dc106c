import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';

/** Nearer to the end than this, in pixels, a reader is at the end. */
const nearPx = 48;

/** What the model writes of the plan, as it comes. */
export function PlanningText({ draft }: { draft: string }) {
  const { t } = useTranslation();
  const text = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (text.current && atEnd.current) text.current.scrollTop = text.current.scrollHeight;
  }, [draft]);
  return (
    <section className="planning" aria-label={t('agent.planning')} aria-busy>
      <p className="writing" role="status">
        {t('agent.planningText')}
      </p>
      {draft !== '' && (
        <pre
          className="call-text untrusted"
          tabIndex={0}
          ref={text}
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
            atEnd.current = scrollHeight - scrollTop - clientHeight < nearPx;
          }}
        >
          {draft}
        </pre>
      )}
    </section>
  );
}
