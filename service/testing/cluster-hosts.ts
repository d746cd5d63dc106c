import { rm } from 'node:fs/promises';
import { api } from '../contract/index.ts';
import { openPgSession } from '../platform/database/pg-session.ts';
import { type MadeDatabase, serverDatabases } from './database-servers/index.ts';
import { followRuns } from './agent-host.ts';
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts';

/** A host of a cluster with its followed runs. */
export type ClusterTestHost = TestHost & ReturnType<typeof followRuns>;

/** Several hosts on one database. */
export interface TestCluster {
  made: MadeDatabase;
  /** Reads or changes rows directly in the database. */
  query<T>(sql: string, values?: readonly unknown[]): Promise<T[]>;
  /** Starts another host on the database, with this display name. */
  start(name: string, options?: TestHostOptions): Promise<ClusterTestHost>;
  /** Stops all hosts and deletes their files and the database. */
  close(): Promise<void>;
}

interface TestClusterOptions {
  /** Default: a new one. */
  made?: MadeDatabase;
  /** Default: 30 seconds, so that no host counts as lost on a busy machine. */
  lostAfterMs?: number;
}

/** Short enough for a test to wait, and longer than a busy machine delays a heartbeat. */
export const soonLostMs = 6_000;

/** Starts hosts that share one PostgreSQL database, in this process. */
export async function startTestCluster({
  made: existing,
  lostAfterMs = 30_000,
}: TestClusterOptions = {}): Promise<TestCluster> {
  const postgres = serverDatabases.find(({ type }) => type === 'POSTGRESQL');
  if (!postgres) throw new Error('PostgreSQL is not among the servers.');
  const made = existing ?? (await postgres.make());
  const hosts: TestHost[] = [];
  return {
    made,
    async query<T>(sql: string, values: readonly unknown[] = []) {
      const session = await openPgSession(made.config);
      return session.query<T>(sql, values).finally(() => session.close());
    },
    async start(name, options = {}) {
      const properties = { cluster: { name, lostAfterMs }, ...options.properties };
      const host = await startTestHost({ ...options, setup: null, properties });
      hosts.push(host);
      await useDatabaseOf(host.client, made);
      return Object.assign(host, followRuns(host));
    },
    async close() {
      await Promise.all(hosts.map((host) => host.stop().catch(() => undefined)));
      for (const { workDirectory } of hosts)
        await rm(workDirectory, { recursive: true, force: true });
      await made.cleanUp();
    },
  };
}

/** Configures the database of a host in SETUP; does nothing for one in APP. */
export async function useDatabaseOf(
  client: TestHost['client'],
  { config }: MadeDatabase,
): Promise<void> {
  if ((await client.call(api.setup.status)).initialized) return;
  const { host: name = '', port, database = '', username = '', password = '' } = config;
  await client.call(api.setup.initialize, {
    body: {
      type: 'POSTGRESQL',
      params: { host: name, ...(port === undefined ? {} : { port }), database, username, password },
    },
  });
}

/** Polls until the answer fits; only the test's own timeout ends it. */
export async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
