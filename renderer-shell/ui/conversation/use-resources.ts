import { useEffect, useState } from 'react';
import type { Client } from '../../../service/client/index.ts';
import type { HostMessage } from '../../../service/contract/host-message.ts';
import { api } from '../../../service/contract/index.ts';
import type { OfferedResource } from '../../state/chat/offered-resources.ts';
import { offeredResources } from '../../state/chat/offered-resources.ts';
import { useShell } from '../../state/shell.ts';

/** The resources of one server, or the reason why they are not available. */
export type ServerResources = { id: string; server: string } & (
  | { kind: 'loading' }
  | { kind: 'ready'; resources: readonly OfferedResource[] }
  | { kind: 'failed'; error: unknown }
  /** Not connected; `reason` is empty if it is unknown. */
  | { kind: 'away'; reason: string; reasonMessage: HostMessage | undefined }
);

/** The resources of all servers. */
export interface ResourceGroups {
  /** Null while the servers are loading. */
  groups: readonly ServerResources[] | null;
  /** Why the servers could not be loaded. */
  error: unknown;
}

/**
 * Loads the resources of all enabled servers; each group appears as soon as its server has
 * answered.
 */
export function useResources(): ResourceGroups {
  const { client } = useShell();
  const [state, setState] = useState<ResourceGroups>({ groups: null, error: null });
  useEffect(() => {
    const leaving = new AbortController();
    const put = (group: ServerResources) => {
      if (leaving.signal.aborted) return;
      setState(({ groups, error }) => ({
        groups: (groups ?? []).map((one) => (one.id === group.id ? group : one)),
        error,
      }));
    };
    const load = async () => {
      const groups = await groupsOf(client);
      if (leaving.signal.aborted) return;
      setState({ groups, error: null });
      for (const group of groups)
        if (group.kind === 'loading') void loadGroup(client, group).then(put);
    };
    load().catch((error: unknown) => {
      if (!leaving.signal.aborted) setState({ groups: null, error });
    });
    return () => leaving.abort();
  }, [client]);
  return state;
}

async function groupsOf(client: Client): Promise<ServerResources[]> {
  const servers = await client.call(api.mcp.list);
  return servers
    .filter(({ state }) => state !== 'DISABLED')
    .map(({ id, name: server, state, error: reason = '', errorMessage: reasonMessage }) =>
      state === 'CONNECTED'
        ? { id, server, kind: 'loading' }
        : { id, server, kind: 'away', reason, reasonMessage },
    );
}

async function loadGroup(
  client: Client,
  { id, server }: ServerResources,
): Promise<ServerResources> {
  try {
    const listed = await client.call(api.mcp.resources, { params: { id } });
    return { id, server, kind: 'ready', resources: offeredResources({ id, name: server }, listed) };
  } catch (error) {
    return { id, server, kind: 'failed', error };
  }
}
