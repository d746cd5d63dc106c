import { useMemo } from 'react';
import { api } from '../../../service/contract/index.ts';
import { createLogFeed } from '../../state/log-feed.ts';
import { useShell } from '../../state/shell.ts';
import { LogDetails } from '../../ui/plugins/logs-pane.tsx';

/** What a server wrote beside its protocol, and what became of its connection, as it comes. */
export function ServerLog({ id }: { id: string }) {
  const { client } = useShell();
  const feed = useMemo(() => createLogFeed(client, api.mcp.logStream, id), [client, id]);
  return <LogDetails feed={feed} none="mcp.noLog" />;
}
