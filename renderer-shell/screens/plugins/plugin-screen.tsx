import { hasPage } from '../../state/plugin-list.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../store.ts';
import { ListCover } from '../../frame/list-pane.tsx';
import { LogsPane } from './logs-pane.tsx';
import { PluginContent } from './plugin-content.tsx';
import { PluginSidebar } from './plugin-sidebar.tsx';

interface PluginScreenProps {
  hidden: boolean;
  /** Whether the window is too narrow to show the list beside the content. */
  narrow: boolean;
}

/** The list of plugins, the page of the chosen one, and its log. */
export function PluginScreen({ hidden, narrow }: PluginScreenProps) {
  const { plugins, route, view } = useShell();
  const now = useStore(route);
  const { listOpen, logsOpen } = useStore(view);
  useStore(plugins.state);
  const chosenId = now.area === 'plugins' ? now.id : null;
  const chosen = chosenId === null ? undefined : plugins.find(chosenId);
  // With nothing chosen the list is all there is to see.
  const covered = narrow && (listOpen || chosenId === null);

  return (
    <div className="screen" hidden={hidden} data-narrow={narrow} data-bare={chosenId === null}>
      <PluginSidebar chosenId={chosenId} hidden={narrow && !covered} />
      {covered && chosenId !== null && <ListCover />}
      <PluginContent chosenId={chosenId} plugin={chosen} narrow={narrow} />
      {logsOpen && chosen && hasPage(chosen) && <LogsPane key={chosen.id} plugin={chosen} />}
    </div>
  );
}
