import type { ReactNode } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';

interface StorePageProps {
  title: string;
  narrow: boolean;
  /** The actions in the toolbar of the page. */
  actions: ReactNode;
  children: ReactNode;
}

/** Lays out a page of the store other than its grid. */
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
