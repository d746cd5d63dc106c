import '../../core/messages/plugin-translations.ts';
import { hasPage } from '../../state/plugin-list.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { ListCover } from '../../ui/frame/list-pane.tsx';
import { LogsPane } from '../../ui/plugins/logs-pane.tsx';
import { PluginContent } from './plugin-content.tsx';
import { PluginSidebar } from './plugin-sidebar.tsx';

/** Props of the plugin area. */
export interface PluginScreenProps {
  hidden: boolean;
  /** True if the window is too narrow to show the list beside the content. */
  narrow: boolean;
}

/** Shows the list of plugins, the page of the chosen one, and its log. */
export function PluginScreen({ hidden, narrow }: PluginScreenProps) {
  const { plugins, route, view } = useShell();
  const now = useStore(route);
  const { listOpen, logsOpen } = useStore(view);
  useStore(plugins.state);
  const chosenId = now.area === 'plugins' ? now.id : null;
  const chosen = chosenId === null ? undefined : plugins.find(chosenId);
  const covered = narrow && listOpen;

  return (
    <div className="screen" hidden={hidden} data-narrow={narrow}>
      <PluginSidebar chosenId={chosenId} hidden={narrow && !covered} />
      {covered && <ListCover />}
      <PluginContent chosenId={chosenId} plugin={chosen} narrow={narrow} />
      {logsOpen && chosen && hasPage(chosen) && <LogsPane key={chosen.id} plugin={chosen} />}
    </div>
  );
}
