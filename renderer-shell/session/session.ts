import type { Client } from '../../service/client/index.ts';
import { createClient, ServiceError } from '../../service/client/index.ts';
import type { Settings, SettingsPatch, SetupStatus } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Store } from '../store.ts';
import { createStore } from '../store.ts';
import { wait } from '../wait.ts';
import type { Connection } from './connection.ts';
import { createConnection } from './connection.ts';
import { guardedClient } from './guarded-client.ts';
import type { TokenShelf } from './token-shelf.ts';

const PROBE_LIMIT_MS = 5_000;
const APP_LIMIT_MS = 60_000;
const APP_POLL_MS = 300;

export type SignInReason = 'no-token' | 'ticket-refused' | 'token-refused';

/** Where the page is between being opened and being usable. */
export type Phase =
  | { kind: 'starting' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'sign-in'; why: SignInReason }
  | { kind: 'setup'; status: SetupStatus }
  | { kind: 'ready'; settings: Settings };

export interface Session {
  phase: Store<Phase>;
  client: Client;
  connection: Connection;
  /** Uses the ticket of the address, where there is one, and finds the phase. Never rejects. */
  start(ticket: string | null): Promise<void>;
  /** Tries a token and keeps it when it works; rejects with `ServiceError` when it does not. */
  signIn(token: string): Promise<void>;
  /** Waits until the service is in APP mode, then leaves the wizard; `first` are settings to store. */
  leaveSetup(first: SettingsPatch | null): Promise<void>;
}

/** `tokens` is null on the desktop, where the main process adds the token. */
export function createSession(tokens: TokenShelf | null): Session {
  const phase = createStore<Phase>({ kind: 'starting' });
  const token = () => tokens?.get() ?? null;
  const bare = createClient({ baseUrl: '', token });
  const connection = createConnection(async () => {
    await bare.call(api.host.health, { signal: AbortSignal.timeout(PROBE_LIMIT_MS) });
  });
  const client = guardedClient(bare, {
    token,
    reached: () => connection.worked(),
    unreachable: () => connection.failed(),
    refused: () => signOut('token-refused'),
    setupRequired: () => void (phase.get().kind === 'ready' && enter()),
  });

  function signOut(why: SignInReason): void {
    if (!tokens) return;
    tokens.set(null);
    phase.set({ kind: 'sign-in', why });
  }

  async function enter(): Promise<void> {
    try {
      phase.set(await findPhase());
    } catch (error) {
      if (phase.get().kind !== 'sign-in') phase.set({ kind: 'failed', error });
    }
  }

  async function findPhase(): Promise<Phase> {
    const status = await client.call(api.setup.status);
    if (!status.initialized) return { kind: 'setup', status };
    if (tokens && token() === null) return { kind: 'sign-in', why: 'no-token' };
    return { kind: 'ready', settings: await client.call(api.settings.get) };
  }

  connection.state.subscribe(() => {
    if (connection.state.get() === 'online' && phase.get().kind === 'failed') void enter();
  });

  return {
    phase,
    client,
    connection,
    async start(ticket) {
      phase.set({ kind: 'starting' });
      if (ticket === null || !tokens) return enter();
      const exchanged = await exchange(bare, ticket).catch((error: unknown) => ({ error }));
      if ('token' in exchanged) tokens.set(exchanged.token);
      await enter();
      const now = phase.get();
      if (now.kind === 'sign-in') phase.set({ kind: 'sign-in', why: 'ticket-refused' });
    },
    async signIn(candidate) {
      const trial = createClient({ baseUrl: '', token: () => candidate });
      const settings = await trial.call(api.settings.get, {
        signal: AbortSignal.timeout(PROBE_LIMIT_MS),
      });
      tokens?.set(candidate);
      phase.set({ kind: 'ready', settings });
    },
    async leaveSetup(first) {
      const next = await appPhase(findPhase);
      // A token that was refused on the way has already shown the sign-in page.
      if (phase.get().kind === 'sign-in') return;
      if (next.kind !== 'ready' || !first) return phase.set(next);
      const settings = await client
        .call(api.settings.put, { body: first })
        .catch(() => next.settings);
      phase.set({ kind: 'ready', settings });
    },
  };
}

const exchanged = await exchange(bare, ticket).catch((error: unknown) => ({ error }));
      if ('token' in exchanged) tokens.set(exchanged.token);
      await enter();
      const now = phase.get();
      if (now.kind === 'sign-in') phase.set({ kind: 'sign-in', why: 'ticket-refused' });
    },
    async signIn(candidate) {
      const trial = createClient({ baseUrl: '', token: () => candidate });
      const settings = await trial.call(api.settings.get, {
        signal: AbortSignal.timeout(PROBE_LIMIT_MS),
      });
      tokens?.set(candidate);
      phase.set({ kind: 'ready', settings });
    },
    async leaveSetup() {
      const next = await appPhase(findPhase);
      // A token that was refused on the way has already shown the sign-in page.
      if (phase.get().kind !== 'sign-in') phase.set(next);
    },
  };
}

const exchange = (client: Client, ticket: string) =>
  client.call(api.host.webSession, {
    body: { ticket },
    signal: AbortSignal.timeout(PROBE_LIMIT_MS),
  });

/** Asks until the phase is another one than SETUP; while the service changes over, calls may fail. */
async function appPhase(findPhase: () => Promise<Phase>): Promise<Phase> {
  const limit = AbortSignal.timeout(APP_LIMIT_MS);
  for (;;) {
    const phase = await findPhase().catch((error: unknown): Phase => {
      if (error instanceof ServiceError && error.problem.status === 401) {
        return { kind: 'sign-in', why: 'token-refused' };
      }
      return { kind: 'failed', error };
    });
    if (phase.kind === 'ready' || phase.kind === 'sign-in') return phase;
    await wait(APP_POLL_MS, limit);
  }
}
