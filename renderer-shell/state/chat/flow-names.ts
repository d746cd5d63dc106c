import { useEffect, useState } from 'react';
import type { Client } from '../../../service/client/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../shell.ts';

type Names = ReadonlyMap<string, string>;

/** What is being read now, for all who ask at the same time. */
const reading = new WeakMap<Client, Promise<Names>>();

function readNames(client: Client): Promise<Names> {
  const known = reading.get(client);
  if (known) return known;
  const names = client
    .call(api.workflows.list)
    .then((flows): Names => new Map(flows.map(({ id, name }) => [id, name])))
    .finally(() => reading.delete(client));
  reading.set(client, names);
  return names;
}

/** The name of the workflow that a tool runs; null for other tools, and as long as it is not known. */
export function useFlowName(tool: string): string | null {
  const { client } = useShell();
  const id = /^run_workflow_(.+)$/.exec(tool)?.[1];
  const [found, setFound] = useState<{ id: string; name: string | null } | null>(null);
  useEffect(() => {
    if (id === undefined) return;
    let isWanted = true;
    const show = (name: string | null) => isWanted && setFound({ id, name });
    readNames(client).then(
      (names) => show(names.get(id) ?? null),
      () => show(null),
    );
    return () => {
      isWanted = false;
    };
  }, [client, id]);
  return found?.id === id ? (found?.name ?? null) : null;
}
