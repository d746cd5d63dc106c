import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type ClusterHost } from '../contract/index.ts';
import { command, fullAccess } from '../testing/agent-host.ts';
import {
  type ClusterTestHost,
  startTestCluster,
  type TestCluster,
  until,
} from '../testing/cluster-hosts.ts';

let cluster: TestCluster;
let one: ClusterTestHost;
let two: ClusterTestHost;
beforeAll(async () => {
  cluster = await startTestCluster();
  // At the same time, so that both want to prepare the empty database.
  [one, two] = await Promise.all([cluster.start('one'), cluster.start('two')]);
});
afterAll(() => cluster.close());

const hostsOf = (host: ClusterTestHost): Promise<ClusterHost[]> => host.client.call(api.hosts.list);

describe('hosts that share a database', () => {
  it('list each other', async () => {
    const listed = await hostsOf(one);
    expect(listed.map(({ name, state, self }) => ({ name, state, self }))).toEqual(
      expect.arrayContaining([
        { name: 'one', state: 'up', self: true },
        { name: 'two', state: 'up', self: false },
      ]),
    );
    expect((await hostsOf(two)).map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
  });

  it('execute a run, whose end both know', async () => {
    const plan = { steps: [command('echo one'), command('echo two', [0])] };
    const { runId, ended, events } = await one.start({
      plan,
      config: { ...fullAccess, planApproval: false },
    });
    await ended;
    expect(events.at(-1)?.event).toBe('complete');
    for (const host of [one, two])
      expect(await host.show(runId)).toMatchObject({
        status: 'completed',
        executions: [{ result: { stdout: 'one\n' } }, { result: { stdout: 'two\n' } }],
      });
  });

  it('spread runs over all of them', async () => {
    const plan = { steps: [command('sleep 0.2')] };
    const config = { ...fullAccess, planApproval: false };
    const runs = await Promise.all(Array.from({ length: 12 }, () => one.start({ plan, config })));
    await Promise.all(runs.map(({ ended }) => ended));
    const owners = await cluster.query<{ owner: string }>('SELECT DISTINCT owner FROM agent_runs');
    expect(owners).toHaveLength(2);
  });

  it('approve and cancel a run wherever it is executed', async () => {
    const config = { ...fullAccess, planApproval: true };
    const plan = { steps: [command('echo approved')] };
    const runs = await Promise.all(Array.from({ length: 4 }, () => one.start({ plan, config })));
    for (const [index, { runId }] of runs.entries()) {
      const gate = await two.gate(runId);
      expect((await one.gate(runId)).gateId).toBe(gate.gateId);
      if (index % 2 === 0) {
        await two.approve(runId, undefined, { gateId: gate.gateId });
        await expect(one.approve(runId, undefined, { gateId: gate.gateId })).rejects.toMatchObject({
          problem: { status: 409 },
        });
      } else await two.client.call(api.agent.cancel, { params: { runId } });
    }
    await Promise.all(runs.map(({ ended }) => ended));
    const statuses = await Promise.all(
      runs.map(async ({ runId }) => (await one.show(runId)).status),
    );
    expect(statuses).toEqual(['completed', 'cancelled', 'completed', 'cancelled']);
  });

  it('stream the events of a run from any host', async () => {
    const config = { ...fullAccess, planApproval: true };
    const { runId } = await one.start({ plan: { steps: [command('echo seen')] }, config });
    const readers = [one, two].map(async ({ client }) => {
      const seen: number[] = [];
      const stream = client.stream(api.runStreams.follow, {
        params: { runId },
        query: { after: -1 },
      } as never);
      for await (const { event, data } of stream as AsyncIterable<{ event: string; data: never }>)
        if (event === 'event') seen.push((data as { sequence: number }).sequence);
      return seen;
    });
    await two.gate(runId);
    await two.approve(runId);
    const [first, second] = await Promise.all(readers);
    const { events } = await until(
      () => one.show(runId),
      ({ status }) => status === 'completed',
    );
    expect(first).toEqual(events.map(({ sequence }) => sequence));
    expect(second).toEqual(first);
  });
});
