import './mcp.css';
import '../../core/messages/mcp-translations.ts';
import { ListCover } from '../../ui/frame/list-pane.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { McpContent } from './mcp-content.tsx';
import { ServerLog } from './server-log.tsx';
import { ServerSidebar } from './server-sidebar.tsx';
import { useServers } from './use-servers.ts';

/** Properties of the screen of MCP servers. */
export interface McpScreenProps {
  /** A server, `new` or `import`; null: nothing is chosen. */
  serverId: string | null;
  /** Whether the window is too narrow to show the list beside the content. */
  narrow: boolean;
}

/** The MCP servers, the one that is chosen, and its log. */
export function McpScreen({ serverId, narrow }: McpScreenProps) {
  const { view } = useShell();
  const servers = useServers();
  const { listOpen, logsOpen } = useStore(view);
  const chosen = serverId === null ? undefined : servers.find(serverId);
  // With nothing chosen the list is all there is to see.
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
