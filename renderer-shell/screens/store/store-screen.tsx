import { useEffect } from 'react';
import { ListCover } from '../../ui/frame/list-pane.tsx';
import type { Market } from '../../state/market/market.ts';
import { marketOf } from '../../state/market/market.ts';
import type { Shell } from '../../state/shell.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { ConfirmInstall } from './confirm-install.tsx';
import { DetailsPage } from './details-page.tsx';
import { sourcesPageId, updatesPageId } from './store-pages.ts';
import { SourcesPage } from './sources-page.tsx';
import './store-translations.ts';
import './store.css';
import { StoreGrid } from './store-grid.tsx';
import { StoreSidebar } from './store-sidebar.tsx';
import { UpdatesPage } from './updates-page.tsx';

/** Props of the store area. */
export interface StoreScreenProps {
  /** Id of a plugin or of another page of the store; null for the grid. */
  id: string | null;
  /** True if the window is too narrow to show the list beside the content. */
  narrow: boolean;
}

/** Shows the store: its plugins can be searched, read about, installed and updated. */
export function StoreScreen({ id, narrow }: StoreScreenProps) {
  const shell = useShell();
  const market = marketOf(shell);
  const { listOpen } = useStore(shell.view);
  const covered = narrow && listOpen;
  useFresh(shell, market);
  return (
    <div className="screen" data-narrow={narrow}>
      <StoreSidebar market={market} id={id} hidden={narrow && !covered} />
      {covered && <ListCover />}
      {/* Stays mounted, so that returning from a plugin restores the scroll position. */}
      <StoreGrid market={market} hidden={id !== null} narrow={narrow} />
      <StoreSubpage market={market} id={id} narrow={narrow} />
      <ConfirmInstall market={market} />
    </div>
  );
}

function StoreSubpage({ market, id, narrow }: StoreScreenProps & { market: Market }) {
  if (id === null) return null;
  if (id === updatesPageId) return <UpdatesPage market={market} narrow={narrow} />;
  if (id === sourcesPageId) return <SourcesPage market={market} narrow={narrow} />;
  return <DetailsPage key={id} market={market} id={id} narrow={narrow} />;
}

/** Reads the store when it is opened, and again when something may have changed. */
function useFresh({ plugins, connection }: Shell, { listing, installs }: Market): void {
  useEffect(() => {
    void listing.refresh();
    void installs.adopt();
    const refreshSoon = () => listing.refreshSoon();
    const onConnection = () => {
      if (connection.state.get() === 'online') refreshSoon();
    };
    const leave = [plugins.state.subscribe(refreshSoon), connection.state.subscribe(onConnection)];
    window.addEventListener('focus', refreshSoon);
    return () => {
      for (const stop of leave) stop();
      window.removeEventListener('focus', refreshSoon);
    };
  }, [plugins, connection, listing, installs]);
}
