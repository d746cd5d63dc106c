import { readFile } from 'node:fs/promises';
import type { DatabaseConfig } from './database-config.ts';
import { serverOptions } from './dialects.ts';
import { type PgClient, socketOf } from './pg-driver.ts';

/** A dedicated connection to PostgreSQL, for features of a session: LISTEN and locks. */
export interface PgSession {
  query<T>(sql: string, values?: readonly unknown[]): Promise<T[]>;
  /** Called with channel and payload of each notification. */
  onNotification(listener: (channel: string, payload: string) => void): void;
  /** Called once when the connection ends for any reason. */
  onEnd(listener: () => void): void;
  close(): Promise<void>;
  /** Closes the socket without waiting for the server. */
  drop(): void;
}

const connectTimeoutMs = 5_000;

interface RawClient {
  connect(): Promise<void>;
  query(sql: string, values: readonly unknown[]): Promise<{ rows: unknown[] }>;
  on(event: string, listener: (...args: never[]) => void): void;
  end(): Promise<void>;
}

/** The options of `pg` for a connection to the configured server. */
export async function pgOptions(config: DatabaseConfig): Promise<Record<string, unknown>> {
  const ca = config.ssl && config.sslCa ? await readFile(config.sslCa, 'utf8') : null;
  const { host, port, database, username, password, dialectOptions } = serverOptions(config, {
    connectTimeoutMs,
    ca,
  });
  return { host, port, database, user: username, password, ...dialectOptions };
}

/** Opens a session without a timeout for idle or waiting statements. */
export async function openPgSession(config: DatabaseConfig): Promise<PgSession> {
  const { default: pg } = await import('pg');
  const Client = (pg as unknown as { Client: PgClient }).Client;
  const client = new Client(await pgOptions(config)) as unknown as RawClient;
  // An error ends the connection, which `end` reports.
  client.on('error', () => undefined);
  await client.connect();
  const ended = Promise.withResolvers<void>();
  client.on('end', () => ended.resolve());
  return {
    query: async <T>(sql: string, values: readonly unknown[] = []) =>
      (await client.query(sql, values)).rows as T[],
    onNotification(listener) {
      client.on(
        'notification',
        ({ channel, payload = '' }: { channel: string; payload?: string }) =>
          listener(channel, payload),
      );
    },
    onEnd: (listener) => void ended.promise.then(listener),
    close: () => client.end().catch(() => undefined),
    drop: () => void socketOf(client)?.destroy(),
  };
}
