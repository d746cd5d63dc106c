import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';

/** Within this distance of the end, in pixels, the view follows new text. */
const nearPx = 48;

/** Shows the plan while the model writes it. */
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
