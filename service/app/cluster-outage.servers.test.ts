import { afterAll, beforeAll, expect, it } from 'vitest';
import { command, fullAccess } from '../testing/agent-host.ts';
import {
  type ClusterTestHost,
  soonLostMs,
  startTestCluster,
  type TestCluster,
  until,
} from '../testing/cluster-hosts.ts';
import { type OwnServer, startPostgres } from '../testing/database-servers/index.ts';

let server: OwnServer;
let cluster: TestCluster;
let hosts: ClusterTestHost[];
beforeAll(async () => {
  server = await startPostgres();
  const database = await server.makeDatabase();
  cluster = await startTestCluster({
    made: { config: server.config({ database }), cleanUp: () => Promise.resolve() },
    lostAfterMs: soonLostMs,
  });
  hosts = await Promise.all([cluster.start('one'), cluster.start('two')]);
});
afterAll(async () => {
  await cluster.close();
  await server.close();
});

it('no run is lost with PostgreSQL, no completed step is repeated, and every started one is accounted for', async () => {
  const [one, two] = hosts as [ClusterTestHost, ClusterTestHost];
  const config = { ...fullAccess, planApproval: true };
  const steps = [command('echo a'), command('echo b', [0])];
  const runs = await Promise.all(
    Array.from({ length: 6 }, () => one.start({ plan: { steps }, config })),
  );
  for (const { runId } of runs) await two.gate(runId);
  await server.kill();
  await server.start();
  for (const { runId } of runs) {
    const answered = await until(
      async () => {
        try {
          const { gates, status } = await two.show(runId);
          if (status === 'interrupted' || status === 'failed') return status;
          if (!gates[0]) return null;
          await two.approve(runId, undefined, { gateId: gates[0].gateId });
          return 'approved';
        } catch {
          // The database, the host of the run, or its gate is not available yet.
          return null;
        }
      },
      (answer) => answer !== null,
    );
    expect(answered).toBe('approved');
  }
  for (const { runId } of runs) {
    const done = await until(
      () => two.show(runId).catch(() => null),
      (run) => run !== null && ['completed', 'failed', 'interrupted'].includes(run.status),
    );
    expect(done?.status).toBe('completed');
    const starts = (done?.events ?? []).filter(({ type }) => type === 'step_start');
    expect(starts.map(({ data }) => data['index'])).toEqual([0, 1]);
  }
});
