import type { Client } from '../../../service/client/index.ts';
import { createClient, ServiceError } from '../../../service/client/index.ts';
import type { Settings, SettingsPatch, SetupStatus } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Store } from '../store.ts';
import { createStore } from '../store.ts';
import { wait } from '../wait.ts';
import type { Connection } from './connection.ts';
import { createConnection } from './connection.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';
import type { Watch } from './guarded-client.ts';
import { guardedClient } from './guarded-client.ts';
import type { TokenStore } from './token-store.ts';

const PROBE_LIMIT_MS = 5_000;
const APP_LIMIT_MS = 60_000;
const APP_POLL_MS = 300;

export type SignInReason = 'no-token' | 'ticket-refused' | 'token-refused';

/** The state of the page between loading and being usable. */
export type Phase =
  | { kind: 'starting' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'sign-in'; why: SignInReason }
  | { kind: 'setup'; status: SetupStatus }
  | { kind: 'ready'; settings: Settings };

/** The page's session with the service: the token, the connection, and the resulting phase. */
export class Session {
  readonly phase: Store<Phase> = createStore<Phase>({ kind: 'starting' });
  readonly client: Client;
  readonly connection: Connection;
  readonly #bare: Client;
  readonly #tokens: TokenStore | null;
  readonly #watch: Watch;

  /** `tokens` is null on the desktop, where the main process adds the token. */
  constructor(tokens: TokenStore | null) {
    this.#tokens = tokens;
    const token = () => this.#token();
    this.#bare = createClient({ baseUrl: '', token });
    this.connection = createConnection(async () => {
      await this.#bare.call(api.host.health, probe());
    });
    this.#watch = {
      token,
      reached: () => this.connection.worked(),
      unreachable: () => this.connection.failed(),
      refused: () => this.#signOut(),
      setupRequired: () => void (this.phase.get().kind === 'ready' && this.#enter()),
    };
    this.client = guardedClient(this.#bare, this.#watch);
    this.connection.state.subscribe(() => {
      const online = this.connection.state.get() === 'online';
      if (online && this.phase.get().kind === 'failed') void this.#enter();
    });
  }

  /**
   * Returns the same client for one upload; `onSent` receives how much of the body was sent, in
   * bytes.
   */
  uploading(onSent: (sentBytes: number, totalBytes: number) => void): Client {
    const fetch = fetchWithProgress(onSent);
    const bare = createClient({ baseUrl: '', token: () => this.#token(), fetch });
    return guardedClient(bare, this.#watch);
  }

  /**
   * Exchanges the ticket from the address, if there is one, and determines the phase. Never
   * rejects. `isSetUp` means that the host has reported its database as set up, so the settings are
   * requested at once.
   */
  async start(ticket: string | null, isSetUp = false): Promise<void> {
    this.phase.set({ kind: 'starting' });
    if (ticket === null || !this.#tokens) return this.#enter(isSetUp);
    const exchanged = await this.#bare
      .call(api.host.webSession, { body: { ticket }, ...probe() })
      .catch(() => null);
    if (exchanged) this.#tokens.set(exchanged.token);
    await this.#enter(isSetUp);
    if (this.phase.get().kind === 'sign-in') {
      this.phase.set({ kind: 'sign-in', why: 'ticket-refused' });
    }
  }

  /** Tries a token and stores it if it works; rejects with `ServiceError` if it does not. */
  async signIn(candidate: string): Promise<void> {
    const trial = createClient({ baseUrl: '', token: () => candidate });
    const settings = await trial.call(api.settings.get, probe());
    this.#tokens?.set(candidate);
    this.phase.set({ kind: 'ready', settings });
  }

  /**
   * Waits until the service is in APP mode, then leaves the wizard; `first` holds settings to
   * store.
   */
  async leaveSetup(first: SettingsPatch | null): Promise<void> {
    const next = await appPhase(() => this.#findPhase());
    // If a token was refused meanwhile, the sign-in page is already open.
    if (this.phase.get().kind === 'sign-in') return;
    if (next.kind !== 'ready' || !first) return this.phase.set(next);
    const stored = this.client.call(api.settings.put, { body: first });
    const settings = await stored.catch(() => next.settings);
    this.phase.set({ kind: 'ready', settings });
  }

  #token(): string | null {
    return this.#tokens?.get() ?? null;
  }

  async #enter(isSetUp = false): Promise<void> {
    try {
      this.phase.set(await this.#findPhase(isSetUp));
    } catch (error) {
      if (this.phase.get().kind !== 'sign-in') this.phase.set({ kind: 'failed', error });
    }
  }

  async #findPhase(isSetUp = false): Promise<Phase> {
    const askSettings = () => this.client.call(api.settings.get);
    const early = isSetUp && this.#tokens?.get() !== null ? askSettings() : null;
    early?.catch(() => undefined);
    const status = await this.client.call(api.setup.status);
    if (!status.initialized) return { kind: 'setup', status };
    if (this.#tokens?.get() === null) return { kind: 'sign-in', why: 'no-token' };
    return { kind: 'ready', settings: await (early ?? askSettings()) };
  }

  #signOut(): void {
    if (!this.#tokens) return;
    this.#tokens.set(null);
    this.phase.set({ kind: 'sign-in', why: 'token-refused' });
  }
}

const probe = () => ({ signal: AbortSignal.timeout(PROBE_LIMIT_MS) });

/** Polls until the phase is no longer SETUP; calls may fail while the service switches modes. */
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
