import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type ClusterHost } from '../contract/index.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, fullAccess } from '../testing/agent-host.ts';
import {
  type ClusterTestHost,
  startTestCluster,
  type TestCluster,
  until,
} from '../testing/cluster-hosts.ts';
import { loadedBy } from '../testing/loaded-by.ts';
import { installSample } from '../testing/sample-plugin.ts';
import { startTestHost } from '../testing/test-host.ts';

let cluster: TestCluster;
let one: ClusterTestHost;
let two: ClusterTestHost;
beforeAll(async () => {
  cluster = await startTestCluster();
  // In parallel, so that both try to prepare the empty database.
  [one, two] = await Promise.all([cluster.start('one'), cluster.start('two')]);
});
afterAll(() => cluster.close());

async function temporaryFolder() {
  const workDirectory = await mkdtemp(join(tmpdir(), 'test-host-'));
  return { workDirectory, remove: () => rm(workDirectory, { recursive: true, force: true }) };
}

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

  it('execute a run, whose end both report', async () => {
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
    const { host } = await one.show(runs[0]?.runId ?? '');
    expect(['one', 'two']).toContain(host?.name);
  });

  it('stream the events of a run from any host', async () => {
    const config = { ...fullAccess, planApproval: true };
    const { runId } = await one.start({ plan: { steps: [command('echo seen')] }, config });
    const readers = [one, two].map(async ({ client }) => {
      const seen: number[] = [];
      const stream = client.stream(api.runStreams.follow, {
        params: { runId },
        query: { after: -1 },
      });
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

describe('the metrics of a cluster', () => {
  it('count its hosts and runs, and those of the host that is asked', async () => {
    const { runId } = await one.start({ plan: { steps: [command('true')] }, config: fullAccess });
    await one.gate(runId);
    const valueOf = async (host: ClusterTestHost, name: string): Promise<number | undefined> => {
      const { measurements } = await host.client.call(api.host.metric, {
        params: { name },
        query: {},
      });
      return measurements[0]?.value;
    };
    const values = () =>
      Promise.all([
        valueOf(one, 'host.cluster.hosts'),
        valueOf(one, 'host.cluster.runs'),
        valueOf(one, 'host.cluster.own.runs'),
        valueOf(two, 'host.cluster.own.runs'),
      ]);
    await until(
      values,
      ([hosts, runs, own = 0, others = 0]) => [hosts, runs, own + others].join() === '2,1,1',
    );
    await one.client.call(api.agent.cancel, { params: { runId } });
  });
});

describe('a single host', () => {
  it('does not load the queue', async () => {
    expect(await loadedBy({}, 'pg-boss')).toEqual([]);
  });
});

describe('a host that may not join', () => {
  it('on another database refuses to start with a sentence, and writes nothing', async () => {
    const properties = { cluster: { name: 'embedded', lostAfterMs: 3_000 } };
    const { workDirectory, ...folder } = await temporaryFolder();
    try {
      await expect(startTestHost({ workDirectory, properties })).rejects.toMatchObject({
        code: 'cluster_database',
        message: expect.stringContaining(
          'shared by several hosts, but this host uses SQLITE',
        ) as unknown,
      });
      // The plugin is still there without the cluster, since nothing was stored.
      const alone = await startTestHost({ workDirectory });
      expect(await alone.client.call(api.hosts.list)).toMatchObject([{ state: 'up', self: true }]);
      await expect(
        alone.client.call(api.hosts.drain, { params: { id: 'single' } }),
      ).rejects.toMatchObject({ problem: { status: 409, code: 'not_clustered' } });
      await alone.stop();
    } finally {
      await folder.remove();
    }
  });

  it('of another version refuses with the names of the hosts that are up', async () => {
    await expect(cluster.start('newer', { version: '99.0.0' })).rejects.toMatchObject({
      problem: {
        code: 'cluster_versions',
        detail: expect.stringMatching(/version 99\.0\.0.*(one|two) \(4\./) as unknown,
      },
    });
    expect((await hostsOf(one)).map(({ name }) => name)).not.toContain('newer');
  });

  it('without the property refuses to start next to hosts that are up, and their runs continue', async () => {
    const { runId } = await one.start({ plan: { steps: [command('true')] }, config: fullAccess });
    await one.gate(runId);
    await expect(cluster.start('alone', { properties: { cluster: null } })).rejects.toMatchObject({
      problem: { code: 'cluster_up' },
    });
    expect((await one.show(runId)).status).toBe('awaiting_plan_approval');
    await one.client.call(api.agent.cancel, { params: { runId } });
  });
});

describe('a run with a tool of a single host', () => {
  it('is validated on every host and executed there; an unknown tool is refused', async () => {
    await installSample(two, {
      manifest: {
        aiTools: [
          {
            name: 'only_two',
            description: 'Answers what it is given.',
            method: 'echo',
            inputSchema: { type: 'object', properties: { word: { type: 'string' } } },
            effect: 'read',
          },
        ],
      },
    });
    const plan = (tool: string, args: object) => ({
      steps: [{ title: 'Echo', tool, arguments: args as Record<string, unknown>, dependsOn: [] }],
    });
    const config = { ...fullAccess, planApproval: false };
    const start = () => one.start({ plan: plan('only_two', { word: 'x' }), config });
    // Hosts announce new tools with their next heartbeat.
    const run = await until(
      () => start().catch(() => null),
      (started) => started !== null,
    );
    await run?.ended;
    expect(await one.show(run?.runId ?? '')).toMatchObject({
      status: 'completed',
      host: { name: 'two' },
      executions: [{ result: { word: 'x' } }],
    });
    for (const wrong of [plan('only_two', { word: 1 }), plan('nobody_has_it', {})])
      await expect(one.start({ plan: wrong, config })).rejects.toMatchObject({
        problem: { status: 400, code: 'invalid_plan' },
      });
  });
});

describe('the capacity', () => {
  it('counts the runs of the whole cluster, 100 for each host that is up', async () => {
    const insert = `INSERT INTO agent_runs (id, user_id, goal, status, posture, request, search_text, owner, created_at, updated_at)
      SELECT 'filler-' || number, 1, 'x', 'running', 'sandboxed', '{}', 'x', $1, now(), now() FROM generate_series(1, 200) AS number`;
    // A host that is up but does not check for its runs blocks them.
    await cluster.query(
      `INSERT INTO cluster_hosts (id, name, version, state, tools, schemas, started_at, last_seen_at)
       VALUES ('filler', 'filler', $1, 'draining', '{}', '{}', now(), now() + interval '1 hour')`,
      [(await hostsOf(one))[0]?.version],
    );
    await cluster.query(insert, ['filler']);
    const start = () => two.start({ plan: { steps: [command('true')] }, config: fullAccess });
    await expect(start()).rejects.toMatchObject({
      problem: { status: 409, code: 'too_many_runs' },
    });
    await cluster.query("DELETE FROM agent_runs WHERE id = 'filler-1'");
    const { runId } = await start();
    await two.client.call(api.agent.cancel, { params: { runId } });
    await cluster.query("DELETE FROM agent_runs WHERE id LIKE 'filler-%'");
    await cluster.query("DELETE FROM cluster_hosts WHERE id = 'filler'");
  });
});

describe('a host that is drained', () => {
  it('finishes its runs and accepts no more', async () => {
    const listed = await hostsOf(one);
    const id = listed.find(({ name }) => name === 'two')?.id ?? '';
    await expect(
      one.client.call(api.hosts.drain, { params: { id: 'unknown' } }),
    ).rejects.toMatchObject({ problem: { status: 404, code: 'unknown_host' } });
    const drained = await one.client.call(api.hosts.drain, { params: { id } });
    expect(drained).toMatchObject({ id, name: 'two', state: 'draining' });
    await until(
      () => hostsOf(two),
      (hosts) => hosts.some(({ self, state }) => self && state === 'draining'),
    );
    const config = { ...fullAccess, planApproval: false };
    const plan = { steps: [command('true')] };
    const runs = await Promise.all(Array.from({ length: 6 }, () => two.start({ plan, config })));
    await Promise.all(runs.map(({ ended }) => ended));
    for (const { runId } of runs)
      expect(await two.show(runId)).toMatchObject({ status: 'completed', host: { name: 'one' } });
  });
});
