import { useState } from 'react';
import type { McpServerView } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { replacementOf } from './server-draft.ts';
import type { Servers } from './use-servers.ts';

/** Actions on one server and their results. */
export interface ServerActions {
  busy: boolean;
  error: unknown;
  /** The result of the last connection test; `ms` is its duration. */
  outcome: { view: McpServerView; ms: number } | null;
  /** The address of the sign-in page while the sign-in is in progress. */
  signInPage: string | null;
  test: () => Promise<unknown>;
  setEnabled: (enabled: boolean) => Promise<unknown>;
  signIn: () => Promise<unknown>;
  endSignIn: () => void;
  clear: () => void;
}

/** Longer than the limit of the service, in milliseconds. */
const testLimitMs = 120_000;

export function useServerActions(server: McpServerView, servers: Servers): ServerActions {
  const { client } = useShell();
  const action = useAction();
  const [outcome, setOutcome] = useState<ServerActions['outcome']>(null);
  const [signInPage, setSignInPage] = useState<string | null>(null);
  const params = { id: server.id };
  const run = (work: () => Promise<unknown>) => {
    setOutcome(null);
    return action.run(work);
  };
  return {
    busy: action.busy,
    error: action.error,
    outcome,
    signInPage,
    test: () =>
      run(async () => {
        const since = performance.now();
        const signal = AbortSignal.timeout(testLimitMs);
        const view = await client.call(api.mcp.test, { params, signal });
        setOutcome({ view, ms: Math.round(performance.now() - since) });
        servers.take(view);
      }),
    setEnabled: (enabled) =>
      run(async () => {
        const body = { ...replacementOf(server), enabled };
        servers.take(await client.call(api.mcp.replace, { params, body }));
      }),
    signIn: () =>
      run(async () => {
        const { authorizationUrl } = await client.call(api.mcp.authorize, { params });
        setSignInPage(authorizationUrl);
      }),
    endSignIn: () => setSignInPage(null),
    clear: () => {
      setOutcome(null);
      action.clear();
    },
  };
}
