import { useEffect, useState } from 'react';
import type { Client } from '../../../service/client/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { OfferedResource } from '../../state/chat/offered-resources.ts';
import { offeredResources } from '../../state/chat/offered-resources.ts';
import { useShell } from '../../state/shell.ts';

/** What one server offers, or why that is not known. */
export type Shelf = { id: string; server: string } & (
  | { kind: 'loading' }
  | { kind: 'ready'; resources: readonly OfferedResource[] }
  | { kind: 'failed'; error: unknown }
  /** It is not connected; `reason` is empty where nobody knows why. */
  | { kind: 'away'; reason: string }
);

export interface Shelves {
  /** Null until it is known which servers there are. */
  shelves: readonly Shelf[] | null;
  /** Why that is not known. */
  error: unknown;
}

/** The resources of all servers that are switched on; each comes as soon as its server has told. */
export function useResources(): Shelves {
  const { client } = useShell();
  const [state, setState] = useState<Shelves>({ shelves: null, error: null });
  useEffect(() => {
    const leaving = new AbortController();
    const put = (shelf: Shelf) => {
      if (leaving.signal.aborted) return;
      setState(({ shelves, error }) => ({
        shelves: (shelves ?? []).map((one) => (one.id === shelf.id ? shelf : one)),
        error,
      }));
    };
    const load = async () => {
      const shelves = await shelvesOf(client);
      if (leaving.signal.aborted) return;
      setState({ shelves, error: null });
      for (const shelf of shelves) if (shelf.kind === 'loading') void fill(client, shelf).then(put);
    };
    load().catch((error: unknown) => {
      if (!leaving.signal.aborted) setState({ shelves: null, error });
    });
    return () => leaving.abort();
  }, [client]);
  return state;
}

async function shelvesOf(client: Client): Promise<Shelf[]> {
  const servers = await client.call(api.mcp.list);
  return servers
    .filter(({ state }) => state !== 'DISABLED')
    .map(({ id, name: server, state, error: reason = '' }) =>
      state === 'CONNECTED'
        ? { id, server, kind: 'loading' }
        : { id, server, kind: 'away', reason },
    );
}

async function fill(client: Client, { id, server }: Shelf): Promise<Shelf> {
  try {
    const listed = await client.call(api.mcp.resources, { params: { id } });
    return { id, server, kind: 'ready', resources: offeredResources({ id, name: server }, listed) };
  } catch (error) {
    return { id, server, kind: 'failed', error };
  }
}
