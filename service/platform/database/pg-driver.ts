import type { Socket } from 'node:net';
import { ConnectionError } from 'sequelize';

type Done = (error: Error | null, ...rest: unknown[]) => void;
/** The part of a `pg` connection that is used. */
export interface PgConnection {
  connect(done: Done): void;
  on(event: 'error', listener: () => void): unknown;
  /** Returns a promise only if there is no callback. */
  query(...args: unknown[]): unknown;
}
export type PgClient = new (config: object) => PgConnection;

/**
 * Returns `pg` with fixes for connections. A failed sign-in on the client side would leave the
 * socket open and the server waiting. A server that ends a connection sends an error, even when no
 * listener is registered. Sequelize sets up a new connection with a promise-based query and expects
 * a named error, so the error gets the name of its cause.
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
