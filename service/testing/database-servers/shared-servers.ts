import { type DatabaseServer, type ServerType, databaseServer } from './database-server.ts';

/** Where the servers of this test run are asked for. Children of tests know it as well. */
export const runVariable = 'TEST_DATABASE_SERVERS';

const askLimitMs = 120_000;

/** What `run-servers.ts` answers. */
export interface RunAnswer {
  /** A server that the whole run shares. */
  port?: number;
  /** Data of a fresh server, to be copied. */
  template?: string;
  error?: string;
}

/**
 * The servers that all test files of a run share; each is started when it is first asked for and
 * ends with the run. Make a database of your own on it, and use `startMariadb` or `startPostgres`
 * for what would disturb others.
 */
export function databaseServers(): {
  mariadb(): Promise<DatabaseServer>;
  postgres(): Promise<DatabaseServer>;
} {
  return { mariadb: () => sharedServer('MYSQL'), postgres: () => sharedServer('POSTGRESQL') };
}

export async function sharedServer(type: ServerType): Promise<DatabaseServer> {
  const { port } = (await ask('server', type)) ?? {};
  if (port === undefined) throw new Error('Shared database servers are there in test runs only.');
  return databaseServer(type, port);
}

/** Null outside a test run. */
export async function templateOf(type: ServerType): Promise<string | null> {
  return (await ask('template', type))?.template ?? null;
}

async function ask(what: 'server' | 'template', type: ServerType): Promise<RunAnswer | null> {
  const url = process.env[runVariable];
  if (url === undefined) return null;
  const response = await fetch(`${url}/${what}/${type}`, {
    headers: { Connection: 'close' },
    signal: AbortSignal.timeout(askLimitMs),
  });
  const answer = (await response.json()) as RunAnswer;
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}
