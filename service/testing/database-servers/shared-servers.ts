import { type DatabaseServer, type ServerType, databaseServer } from './database-server.ts';

/** Variable with the address of the run's server process. Child processes of tests inherit it. */
export const runVariable = 'TEST_DATABASE_SERVERS';

const askLimitMs = 120_000;

/** An answer of `run-servers.ts`. */
export interface RunAnswer {
  /** Port of a server that the whole run shares. */
  port?: number;
  /** Data of an initialized server, to copy. */
  template?: string;
  error?: string;
}

/**
 * Servers that all test files of a run share; each starts on first use and ends with the run.
 * Create your own database on it, and use `startMariadb` or `startPostgres` for tests that would
 * disturb others.
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

/** Returns the template data; null outside a test run. */
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
