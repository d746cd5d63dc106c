import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api, type Schedule } from '../../service/contract/index.ts';
import { command } from '../../service/testing/agent-host.ts';
import { faultRounds, faultSeed, report } from '../../service/testing/faults/fault-rounds.ts';
import {
  type HostWorkspace,
  type HostProcess,
  createHostWorkspace,
} from '../../service/testing/faults/host-process.ts';
import { randomOf } from '../../service/testing/faults/random.ts';

const rounds = faultRounds({ short: 2, long: 60 });
const dayMs = 24 * 60 * 60 * 1_000;
/** Delay after which a started host catches up on missed runs. */
const catchUpMs = 5_000;
const settled = { timeout: 30_000 };

let hostDir: HostWorkspace;
beforeAll(async () => {
  hostDir = await createHostWorkspace({ preloads: ['shift-clock'], spare: true });
  await mkdir(hostDir.paths.workspace, { recursive: true });
});
afterAll(() => hostDir.cleanUp());

/** Creates a workflow with one command, and a durable schedule for it. */
async function daily({ client, mode }: HostProcess, inputs: object = {}): Promise<Schedule> {
  if (mode === 'SETUP') await client.call(api.setup.initialize, { body: { type: 'SQLITE' } });
  const plan = { steps: [command('echo ran >> ran && sync ran')] };
  const properties = Object.fromEntries(Object.keys(inputs).map((name) => [name, {}]));
  const body = { name: 'Ran', plan, inputSchema: { type: 'object', properties } };
  const { id } = await client.call(api.workflows.create, { body });
  const published = { published: true };
  await client.call(api.workflows.publish, { params: { workflowId: id }, body: published });
  return client.call(api.schedules.create, {
    body: {
      workflowId: id,
      durable: true,
      cron: '0 9 * * *',
      timeZone: 'UTC',
      permissionMode: 'full-access',
      inputs: { ...inputs },
    },
  });
}
const showing =
  (id: string) =>
  ({ client }: HostProcess): Promise<Schedule> =>
    client.call(api.schedules.show, { params: { id } });

const ranTimes = async (): Promise<number> => {
  const text = await readFile(join(hostDir.paths.workspace, 'ran'), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).length;
};
const runCount = async ({ client }: HostProcess): Promise<number> =>
  (await client.call(api.agent.runs, { query: { limit: 100 } })).length;

it('a durable schedule survives kills of the host, and catches up on all missed times with one run (R-01)', async () => {
  const seed = faultSeed();
  const random = randomOf(seed);
  const first = await hostDir.start();
  const { id, nextRunAt } = await daily(first);
  const show = showing(id);
  await first.kill();
  let [caughtUp, lost] = [0, 0];
  for (let round = 1; round <= rounds; round += 1) {
    const clockOffsetMs = round * 3 * dayMs;
    const before = await ranTimes();
    const killed = await hostDir.start({ clockOffsetMs });
    const runsBefore = await runCount(killed);
    const pendingSchedule = await show(killed);
    if (round === 1)
      expect(pendingSchedule).toMatchObject({ nextRunAt, history: [], state: 'active' });
    await delay(catchUpMs - 200 + random.below(600));
    await killed.kill();
    caughtUp += (await ranTimes()) - before;

    const next = await hostDir.start({ clockOffsetMs });
    const about = `round ${round}, seed ${seed}`;
    const due = async () => {
      const found = await show(next);
      const isOver =
        found.lastRun?.status !== 'running' && found.history[0]?.outcome !== 'starting';
      return isOver && Date.parse(found.nextRunAt ?? '') > Date.now() + clockOffsetMs;
    };
    await expect.poll(due, settled).toBe(true);
    const { history } = await show(next);
    const [run, missed] = history;
    expect(missed, about).toMatchObject({ reason: 'host_not_running', times: 2 });
    const runs = (await runCount(next)) - runsBefore;
    const ran = (await ranTimes()) - before;
    expect(runs, about).toBeLessThanOrEqual(1);
    expect(ran, about).toBeLessThanOrEqual(runs);
    if (run?.outcome === 'started') expect(runs, about).toBe(1);
    else {
      expect(run, about).toMatchObject({ outcome: 'skipped', reason: 'host_ended' });
      lost += 1;
    }
    await next.kill();
  }
  report(
    `schedules: ${rounds} rounds, seed ${seed}, ${caughtUp} killed after the run, ${lost} while it was begun`,
  );
}, 3_600_000);

it('a run that was starting when the host was killed is not started again, and the history reports it as lost', async () => {
  const first = await hostDir.start();
  const { id, workflowId } = await daily(first, { text: `${'a'.repeat(40)}!` });
  const show = showing(id);
  // Checking its input now takes a second, and then fails.
  const text = { type: 'string', pattern: '^(a+)+$' };
  const body = { inputSchema: { type: 'object', properties: { text } } };
  await first.client.call(api.workflows.update, { params: { workflowId }, body });
  await first.kill();

  const second = await hostDir.start({ clockOffsetMs: 3 * dayMs });
  const lastOutcome = async () => (await show(second)).history[0]?.outcome;
  await expect.poll(lastOutcome, { ...settled, interval: 10 }).toBe('starting');
  await second.kill();

  const third = await hostDir.start({ clockOffsetMs: 4 * dayMs });
  const reasons = async () =>
    (await show(third)).history.map(({ reason, times }) => [reason, times]);
  const lost = [
    ['host_ended', undefined],
    ['host_not_running', 2],
  ];
  expect(await reasons()).toEqual(lost);
  await expect.poll(reasons, settled).toEqual([['invalid_inputs', undefined], ...lost]);
});
