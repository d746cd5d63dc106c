import { useEffect, useState } from 'react';
import type { Client } from '../../../service/client/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../shell.ts';

/** Requests in progress, shared by all callers. */
const reading = new WeakMap<Client, Map<string, Promise<string>>>();

function readName(client: Client, workflowId: string): Promise<string> {
  const names = reading.get(client) ?? new Map<string, Promise<string>>();
  reading.set(client, names);
  const name =
    names.get(workflowId) ??
    client
      .call(api.workflows.show, { params: { workflowId } })
      .then((workflow) => workflow.name)
      .finally(() => names.delete(workflowId));
  names.set(workflowId, name);
  return name;
}

/**
 * Returns the name of the workflow that a tool runs; null for other tools and while it is loading.
 */
export function useWorkflowName(tool: string): string | null {
  const { client } = useShell();
  const id = /^run_workflow_(.+)$/.exec(tool)?.[1];
  const [found, setFound] = useState<{ id: string; name: string | null } | null>(null);
  useEffect(() => {
    if (id === undefined) return;
    let isCurrent = true;
    const show = (name: string | null) => isCurrent && setFound({ id, name });
    readName(client, id).then(show, () => show(null));
    return () => {
      isCurrent = false;
    };
  }, [client, id]);
  return found?.id === id ? (found?.name ?? null) : null;
}
