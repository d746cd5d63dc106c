import type { ReactNode } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import { useTitle } from '../../ui/frame/window-title.ts';

interface AgentPageProps {
  title: string;
  narrow: boolean;
  /** The primary action of the page. */
  action?: ReactNode;
  children: ReactNode;
}

/** Lays out a page of the area that does not show a run. */
export function AgentPage({ title, narrow, action, children }: AgentPageProps) {
  const { t } = useTranslation();
  useTitle(title);
  return (
    <main className="content" aria-label={title}>
      <header className="toolbar">
        {narrow && <ShowListButton label={t('agent.showList')} />}
        <h1 title={title}>{title}</h1>
        <span className="toolbar-gap" />
        {action}
      </header>
      <div className="agent-scroll">
        <div className="agent-body">{children}</div>
      </div>
    </main>
  );
}
