import { setTimeout as delay } from 'node:timers/promises';
import { Topic } from '../../core/topic.ts';
import { withTimeout } from '../../core/with-timeout.ts';
import type { DatabaseConfig } from '../database/database-config.ts';
import { openPgSession, type PgSession } from '../database/pg-session.ts';

export const clusterChannel = 'plugin_host';

/** After a gap in the notifications, everything counts as changed. */
export const everything = '*';

const retryMs = 500;

/**
 * Wakes this host when another one has written something. Only the wake-up is transferred; the
 * receiver reads the rows.
 */
export class ClusterBus {
  /** `table:<name>`, `run:<id>`, `request:<run id>`, or `*` after a gap. */
  readonly woken = new Topic<string>();
  private readonly config: DatabaseConfig;
  private readonly onError: (what: string, error: unknown) => void;
  private session: PgSession | null = null;
  private readonly closing = new AbortController();

  constructor(config: DatabaseConfig, onError: (what: string, error: unknown) => void) {
    this.config = config;
    this.onError = onError;
  }

  /** Resolves once this host listens. */
  async start(): Promise<void> {
    await this.connect();
  }

  private async connect(): Promise<void> {
    const session = await openPgSession(this.config);
    session.onNotification((_, payload) => this.woken.publish(payload));
    await session.query(`LISTEN ${clusterChannel}`);
    if (this.closing.signal.aborted) return session.close();
    this.session = session;
    session.onEnd(() => void this.reconnect());
  }

  private async reconnect(): Promise<void> {
    this.session = null;
    const { signal } = this.closing;
    while (!signal.aborted) {
      try {
        await delay(retryMs, undefined, { signal, ref: false });
        await this.connect();
        return this.woken.publish(everything);
      } catch (error) {
        if (!signal.aborted) this.onError('The database cannot be listened to', error);
      }
    }
  }

  /**
   * Runs a statement on the listening connection. A connection that was silently cut still looks
   * alive, so it is dropped if no response arrives in time.
   */
  async query<T>(sql: string, values: readonly unknown[], limitMs: number): Promise<T[]> {
    const { session } = this;
    if (session === null) throw new Error('The database is not connected.');
    return withTimeout(limitMs, session.query<T>(sql, values), () => {
      session.drop();
      return new Error('The database does not answer.');
    });
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.session?.close();
  }
}
