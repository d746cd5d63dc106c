import type { Command } from './keeper.ts';
import type { ServerWorkspace } from './server-workspace.ts';

export interface Login {
  username: string;
  password: string;
}

/** Where and as whom to connect. */
export interface Connection extends Login {
  port: number;
  database: string;
}

export type Row = Record<string, unknown>;

/** As the administrator. */
export type Query = (sql: string) => Promise<Row[]>;

/** What differs between the servers. */
export interface ServerKind {
  type: 'MYSQL' | 'POSTGRESQL';
  /** Fills `data` of the place with a fresh server that knows the logins. */
  initialise(workspace: ServerWorkspace): Promise<void>;
  /** The server on those data; `serving` names files in the place. */
  command(
    workspace: ServerWorkspace,
    serving: { port: number; durable: boolean },
  ): Promise<Command>;
  /** Ends in order: running queries are given up, everything is written. */
  stopSignal: NodeJS.Signals;
  /** Ends at once, without looking after the data. */
  endSignal: NodeJS.Signals;
  /** How the log says that somebody else has the port. */
  portTaken: RegExp;
  /** Answers, as `data`, the folder of the server that was asked. */
  whichServer: string;
  query(connection: Connection, sql: string): Promise<Row[]>;
  makeDatabase(name: string, query: Query): Promise<void>;
  /** Also when connections to it are open. */
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
