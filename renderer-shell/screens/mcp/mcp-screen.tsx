import './mcp.css';
import '../../core/messages/mcp-translations.ts';
import { ListCover } from '../../ui/frame/list-pane.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { McpContent } from './mcp-content.tsx';
import { ServerLog } from './server-log.tsx';
import { ServerSidebar } from './server-sidebar.tsx';
import { useServers } from './use-servers.ts';

/** Props of the MCP area. */
export interface McpScreenProps {
  /** Id of a server, `new` or `import`; null if nothing is chosen. */
  serverId: string | null;
  /** True if the window is too narrow to show the list beside the content. */
  narrow: boolean;
}

/** Shows the MCP servers, the chosen one, and its log. */
export function McpScreen({ serverId, narrow }: McpScreenProps) {
  const { view } = useShell();
  const servers = useServers();
  const { listOpen, logsOpen } = useStore(view);
  const chosen = serverId === null ? undefined : servers.find(serverId);
  // If nothing is chosen in a narrow window, only the list is visible.
  const covered = narrow && (listOpen || serverId === null);
  return (
    <div className="screen" data-narrow={narrow} data-bare={serverId === null}>
      <ServerSidebar servers={servers} chosenId={serverId} hidden={narrow && !covered} />
      {covered && serverId !== null && <ListCover />}
      <McpContent servers={servers} serverId={serverId} narrow={narrow} />
      {logsOpen && chosen && <ServerLog key={chosen.id} id={chosen.id} />}
    </div>
  );
}
