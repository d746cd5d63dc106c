import { rm } from 'node:fs/promises';
import { api } from '../contract/index.ts';
import { openPgSession } from '../platform/database/pg-session.ts';
import { type MadeDatabase, serverDatabases } from './database-servers/index.ts';
import { followRuns } from './agent-host.ts';
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts';

/** A host of a cluster, and what its runs are watched with. */
export type ClusterTestHost = TestHost & ReturnType<typeof followRuns>;

export interface TestCluster {
  made: MadeDatabase;
  /** Reads or changes rows behind the back of the hosts. */
  query<T>(sql: string, values?: readonly unknown[]): Promise<T[]>;
  /** Starts one more host on the database; `name` is shown. */
  start(name: string, options?: TestHostOptions): Promise<ClusterTestHost>;
  /** Ends all hosts and removes their files and the database. */
  close(): Promise<void>;
}

interface TestClusterOptions {
  /** Default: a fresh one. */
  made?: MadeDatabase;
  /** Default: 30 seconds, so that a busy machine makes nobody lost. */
  lostAfterMs?: number;
}

/** Short enough to wait for, and longer than a busy machine keeps a host from its sign. */
export const soonLostMs = 6_000;

/** Hosts that share one PostgreSQL database, in this process. */
export async function startTestCluster({
  made: given,
  lostAfterMs = 30_000,
}: TestClusterOptions = {}): Promise<TestCluster> {
  const postgres = serverDatabases.find(({ type }) => type === 'POSTGRESQL');
  if (!postgres) throw new Error('PostgreSQL is not among the servers.');
  const made = given ?? (await postgres.make());
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

/** Takes a host out of SETUP, unless it was there before. */
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

/** Asks until the answer is as expected; the test's own limit ends it. */
export async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
