import type { ReactNode } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';

interface StorePageProps {
  title: string;
  narrow: boolean;
  /** What can be done on the page, in its toolbar. */
  actions: ReactNode;
  children: ReactNode;
}

/** A page of the store beside its grid. */
export function StorePage({ title, narrow, actions, children }: StorePageProps) {
  const { t } = useTranslation();
  return (
    <main className="content">
      <header className="toolbar">
        {narrow && <ShowListButton label={t('store.showList')} />}
        <h1 title={title}>{title}</h1>
        <span className="toolbar-gap" />
        {actions}
      </header>
      {children}
    </main>
  );
}
