import { useMemo } from 'react';
import type { LogState } from '../../state/log-feed.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { createStore } from '../../store.ts';
import { wait } from '../../wait.ts';
import { LogDetails } from '../plugins/logs-pane.tsx';

/** It is asked for again, since no stream tells of it, and only while somebody looks. */
const betweenMs = 1_500;

/** What a server wrote beside its protocol, and what became of its connection. */
export function ServerLog({ id }: { id: string }) {
  const { client } = useShell();
  const feed = useMemo(() => {
    const state = createStore<LogState>({ broken: false, events: [] });
    const keepAsking = async (signal: AbortSignal) => {
      while (!signal.aborted) {
        if (document.visibilityState !== 'hidden') {
          const events = await client
            .call(api.mcp.logs, { params: { id }, signal })
            .catch(() => null);
          if (signal.aborted) return;
          const before = state.get();
          const isSame = events?.at(-1)?.sequence === before.events.at(-1)?.sequence;
          if (events === null) state.set({ ...before, broken: true });
          else if (!isSame || before.broken) state.set({ broken: false, events });
        }
        await wait(betweenMs, signal).catch(() => undefined);
      }
    };
    const open = () => {
      const closing = new AbortController();
      void keepAsking(closing.signal);
      return () => closing.abort();
    };
    return { state, open };
  }, [client, id]);
  return <LogDetails feed={feed} none="mcp.noLog" />;
}
