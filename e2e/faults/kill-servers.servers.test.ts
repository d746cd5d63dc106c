import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type OwnServer,
  startMariadb,
  startPostgres,
} from '../../service/testing/database-servers/index.ts';
import { checkServer } from '../../service/testing/faults/database-checks.ts';
import { faultRounds, faultSeed } from '../../service/testing/faults/fault-rounds.ts';
import { runKillRounds } from '../../service/testing/faults/kill-rounds.ts';
import { runServerRounds } from '../../service/testing/faults/server-rounds.ts';

/** A silent server is given up after 15 s, a failed connection attempt after 6 s. */
const slowestAnswerMs = 25_000;

describe.each([
  { name: 'MySQL', startServer: startMariadb },
  { name: 'PostgreSQL', startServer: startPostgres },
])('on $name', ({ name, startServer }) => {
  let server: OwnServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  it('a host that is killed at any moment keeps all acknowledged data, and leaves nothing partial', async () => {
    const database = await server.makeDatabase();
    const { acknowledged } = await runKillRounds({
      name,
      rounds: faultRounds({ short: 3, long: 200 }),
      seed: faultSeed(),
      config: server.config({ database }),
      checkDatabase: () => checkServer(server, database),
    });
    expect(acknowledged).toBeGreaterThan(0);
  }, 3_600_000);

  it('a host whose server is killed answers in time, loses nothing and needs no restart', async () => {
    const database = await server.makeDatabase();
    const { acknowledged, slowestMs } = await runServerRounds({
      name,
      rounds: faultRounds({ short: 2, long: 20 }),
      seed: faultSeed(),
      server,
      database,
    });
    expect(slowestMs).toBeLessThan(slowestAnswerMs);
    await checkServer(server, database);
    expect(acknowledged).toBeGreaterThan(0);
  }, 3_600_000);
});
