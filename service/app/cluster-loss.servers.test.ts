import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type RunDetails } from '../contract/index.ts';
import { command, fullAccess } from '../testing/agent-host.ts';
import {
  type ClusterTestHost,
  soonLostMs,
  startTestCluster,
  type TestCluster,
  until,
} from '../testing/cluster-hosts.ts';
import { type HostProcess, startHostProcess } from '../testing/host-process.ts';

let cluster: TestCluster;
let survivor: ClusterTestHost;
let victim: HostProcess;
const started: HostProcess[] = [];
async function startVictim(name: string): Promise<void> {
  victim = await startHostProcess(name, cluster.made);
  started.push(victim);
}
beforeAll(async () => {
  cluster = await startTestCluster({ lostAfterMs: soonLostMs });
  survivor = await cluster.start('survivor');
});
afterAll(async () => {
  for (const one of started) await one.close();
  await cluster.close();
});

const ended = ({ status }: RunDetails): boolean =>
  ['completed', 'failed', 'cancelled', 'interrupted'].includes(status);

/** Starts a run on the other host; runs that this host claims are cancelled. */
async function runOnVictim(steps: ReturnType<typeof command>[]): Promise<string> {
  for (;;) {
    const { runId } = await victim.client.call(api.agent.run, {
      body: {
        goal: 'Outlive a host',
        config: { ...fullAccess, planApproval: true },
        workflow: { steps },
      },
    });
    await victim.gate(runId);
    const [row] = await cluster.query<{ owner: string }>(
      'SELECT owner FROM agent_runs WHERE id = $1',
      [runId],
    );
    if (row?.owner === victim.hostId) return runId;
    await survivor.client.call(api.agent.cancel, { params: { runId } });
  }
}

describe('a host that is killed', () => {
  it('leaves runs that continue elsewhere, without repeating a step, or are interrupted', async () => {
    await startVictim('victim');
    const line = 'echo "$PPID" >> marks-$RUN';
    const gated = await runOnVictim([
      command('echo first'),
      command(line.replace('$RUN', 'a'), [0]),
    ]);
    const busy = await runOnVictim([command('touch began; exec sleep 600')]);
    await victim.approve(busy);
    await until(
      () => survivor.show(busy),
      ({ executions }) => executions[0]?.status === 'running',
    );
    victim.kill();
    const listed = await until(
      () => survivor.client.call(api.hosts.list),
      (hosts) => hosts.some(({ name, state }) => name === 'victim' && state === 'lost'),
    );
    expect(listed.find(({ name }) => name === 'survivor')).toMatchObject({ state: 'up' });
    const interrupted = await until(() => survivor.show(busy), ended);
    expect(interrupted).toMatchObject({
      status: 'interrupted',
      executions: [{ status: 'unknown' }],
    });
    const notes = await until(
      () => survivor.client.call(api.notifications.list, { query: {} }),
      (all) => all.some(({ link }) => link === `/agent/${busy}`),
    );
    expect(notes.find(({ link }) => link === `/agent/${busy}`)?.body).toContain('host');
    await until(
      () => survivor.show(gated),
      ({ events }) => events.some(({ type }) => type === 'run_continued'),
    );
    const gate = await survivor.gate(gated);
    await survivor.approve(gated, undefined, { gateId: gate.gateId });
    const done = await until(() => survivor.show(gated), ended);
    expect(done.status).toBe('completed');
    const starts = done.events.filter(({ type }) => type === 'step_start');
    expect(starts.map(({ data }) => data['index'])).toEqual([0, 1]);
    expect(done.events.map(({ sequence }) => sequence)).toEqual(done.events.map((_, at) => at));
  });
});

describe('a host that was only slow', () => {
  it('writes nothing more to a run of another host', async () => {
    await startVictim('slow');
    const runId = await runOnVictim([command('echo once')]);
    victim.freeze();
    await until(
      () => survivor.show(runId),
      ({ events }) => events.some(({ type }) => type === 'run_continued'),
    );
    const before = await survivor.show(runId);
    victim.thaw();
    // It notices the loss, or its next event collides; either way it releases the run.
    await until(
      () => victim.client.call(api.hosts.list),
      (hosts) => hosts.some(({ name, state }) => name === 'slow' && state === 'up'),
    );
    await victim.gate(runId);
    await victim.approve(runId);
    const done = await until(() => survivor.show(runId), ended);
    expect(done.status).toBe('completed');
    expect(done.events.slice(0, before.events.length)).toEqual(before.events);
    const count = (kind: string): number => done.events.filter(({ type }) => type === kind).length;
    expect([count('step_start'), count('complete')]).toEqual([1, 1]);
  });
});

describe('a host that ends properly', () => {
  it('leaves runs that wait for a person to the others', async () => {
    await startVictim('leaving');
    const runId = await runOnVictim([command('echo later')]);
    await victim.stop();
    await until(
      () => survivor.show(runId),
      ({ events }) => events.some(({ type }) => type === 'run_continued'),
    );
    await survivor.gate(runId);
    await survivor.approve(runId);
    const done = await until(() => survivor.show(runId), ended);
    expect(done.status).toBe('completed');
    expect(['survivor', 'slow']).toContain(done.host?.name);
    expect((await survivor.client.call(api.hosts.list)).map(({ name }) => name)).not.toContain(
      'leaving',
    );
  });
});
