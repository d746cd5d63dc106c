import { useMemo } from 'react';
import { api } from '../../../service/contract/index.ts';
import { createLogFeed } from '../../state/log-feed.ts';
import { useShell } from '../../state/shell.ts';
import { LogDetails } from '../../ui/plugins/logs-pane.tsx';

/** Shows the live log of a server: its error output and the events of its connection. */
export function ServerLog({ id }: { id: string }) {
  const { client } = useShell();
  const feed = useMemo(() => createLogFeed(client, api.mcp.logStream, id), [client, id]);
  return <LogDetails feed={feed} none="mcp.noLog" />;
}
