import type { Client } from '../../service/client/index.ts';
import type { PluginLogEvent } from '../../service/contract/index.ts';
import type { api } from '../../service/contract/index.ts';
import { untilVisible, whileVisible } from '../core/page-visibility.ts';
import type { Store } from '../core/store.ts';
import { createStore } from '../core/store.ts';
import { backOffMs, createPause } from '../core/wait.ts';

const MAX_EVENTS = 1_000;
/** Batches events that arrive within this time into one update. */
const GATHER_MS = 50;
/**
 * A plugin that logs nothing sends nothing, so a stream that stays open this long counts as
 * working.
 */
const STABLE_MS = 1_000;

/** The log events that were received. */
export interface LogState {
  /** True if the stream ended or could not be opened; it is being reopened. */
  broken: boolean;
  events: PluginLogEvent[];
}

/** The live log of one plugin or MCP server. */
export interface LogFeed {
  state: Store<LogState>;
  /** Follows the stream until the returned function is called. */
  open(): () => void;
}

type LogEndpoint = typeof api.plugins.logStream | typeof api.mcp.logStream;

/**
 * Creates the log of one plugin or MCP server, live while the page is visible. The stream begins
 * with the recent events, so each connection starts a new list.
 */
export function createLogFeed(client: Client, endpoint: LogEndpoint, id: string): LogFeed {
  const state = createStore<LogState>({ broken: false, events: [] });
  let gathered: PluginLogEvent[] = [];
  let startsAnew = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(): void {
    timer = undefined;
    const before = startsAnew ? [] : state.get().events;
    startsAnew = false;
    state.set({ broken: false, events: [...before, ...gathered].slice(-MAX_EVENTS) });
    gathered = [];
  }

  function take(event: PluginLogEvent): void {
    gathered.push(event);
    if (gathered.length > MAX_EVENTS) gathered.shift();
    timer ??= setTimeout(show, GATHER_MS);
  }

  async function follow(signal: AbortSignal): Promise<void> {
    startsAnew = true;
    const stream = client.stream(endpoint, { params: { id }, signal });
    const stableTimer = setTimeout(() => state.set({ ...state.get(), broken: false }), STABLE_MS);
    try {
      for await (const { data } of stream) take(data);
    } finally {
      clearTimeout(stableTimer);
    }
  }

  async function keepFollowing(signal: AbortSignal): Promise<void> {
    const pause = createPause(signal);
    for (let failures = 1; !signal.aborted; failures += 1) {
      await untilVisible(signal).catch(() => undefined);
      const isHidden = await whileVisible(signal, (seen) =>
        follow(seen).then(
          () => false,
          () => seen.aborted,
        ),
      );
      if (isHidden) continue;
      if (!state.get().broken) failures = 1;
      state.set({ ...state.get(), broken: true });
      await pause.take(backOffMs(failures));
    }
  }

  return {
    state,
    open: () => {
      const closing = new AbortController();
      void keepFollowing(closing.signal);
      return () => {
        closing.abort();
        clearTimeout(timer);
      };
    },
  };
}

const ORDER = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR'];

/** Returns true if an event is at least as severe as `least`; an unknown level counts as INFO. */
export function isAtLeast(level: string, minimum: string): boolean {
  const rank = ORDER.indexOf(level.toUpperCase());
  return (rank < 0 ? ORDER.indexOf('INFO') : rank) >= ORDER.indexOf(minimum);
}
