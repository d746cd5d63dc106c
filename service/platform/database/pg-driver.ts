import type { Socket } from 'node:net';
import { ConnectionError } from 'sequelize';

type Done = (error: Error | null, ...rest: unknown[]) => void;
/** The used part of a connection of `pg`. */
export interface PgConnection {
  connect(done: Done): void;
  on(event: 'error', listener: () => void): unknown;
  /** A promise only where it is given no callback. */
  query(...args: unknown[]): unknown;
}
export type PgClient = new (config: object) => PgConnection;

/**
 * A sign-in that fails on our side leaves the socket open, and the server waiting for it. A server that
 * ends a connection says so on it, also at moments when nobody listens. Sequelize sets a fresh
 * connection up with a query of the form that answers a promise, and takes its error as it comes: it
 * gets the name that tells the reason.
 */
export async function pgDriver(): Promise<{ Client: PgClient }> {
  const { default: pg } = await import('pg');
  class Client extends (pg.Client as unknown as PgClient) {
    constructor(config: object) {
      super(config);
      this.on('error', () => undefined);
    }

    override connect(done: Done): void {
      super.connect((error, ...rest) => {
        if (error) socketOf(this)?.destroy();
        done(error, ...rest);
      });
    }

    override query(...args: unknown[]): unknown {
      const answer = super.query(...args);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: unknown) => {
        throw new ConnectionError(error as Error);
      });
    }
  }
  return { ...pg, Client, types: pg.types, defaults: pg.defaults } as { Client: PgClient };
}

export function socketOf(connection: unknown): Socket | undefined {
  const { stream, connection: inner } = connection as {
    stream?: Socket;
    connection?: { stream?: Socket };
  };
  return stream ?? inner?.stream;
}
