import type { Command } from './keeper.ts';
import type { ServerWorkspace } from './server-workspace.ts';

/** Credentials of a database user. */
export interface Login {
  username: string;
  password: string;
}

/** Address and login. */
export interface Connection extends Login {
  port: number;
  database: string;
}

export type Row = Record<string, unknown>;

/** Runs SQL as administrator. */
export type Query = (sql: string) => Promise<Row[]>;

/** Differences between the servers. */
export interface ServerKind {
  type: 'MYSQL' | 'POSTGRESQL';
  /** Initializes `data` of the workspace as a new server with the logins. */
  initialise(workspace: ServerWorkspace): Promise<void>;
  /**
   * Returns the command that runs the server on the data; `serving` names files in the workspace.
   */
  command(
    workspace: ServerWorkspace,
    serving: { port: number; durable: boolean },
  ): Promise<Command>;
  /** Shuts down in order: cancels running queries, writes everything. */
  stopSignal: NodeJS.Signals;
  /** Ends at once, without writing the data. */
  endSignal: NodeJS.Signals;
  /** Log message if another program uses the port. */
  portTaken: RegExp;
  /** Query that returns the server's data folder as `data`. */
  whichServer: string;
  query(connection: Connection, sql: string): Promise<Row[]>;
  makeDatabase(name: string, query: Query): Promise<void>;
  /** Drops a database even if it has open connections. */
  dropDatabase(name: string, query: Query): Promise<void>;
}

export const admin: Login = { username: 'admin', password: `p@ss:w/ö'"\\\\ #` };
export const tlsOnly: Login = { username: 'tls_only', password: 'tls-only password' };
export const reader: Login = { username: 'reader', password: 'reader password' };
export const stranger: Login = { username: 'stranger', password: 'stranger password' };

/** The database that every server has. */
export const firstDatabase = 'host';

export const connectLimitMs = 30_000;
export const queryLimitMs = 30_000;
