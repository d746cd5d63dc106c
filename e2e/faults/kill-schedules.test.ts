import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api, type Schedule } from '../../service/contract/index.ts';
import { command } from '../../service/testing/agent-host.ts';
import { faultRounds, faultSeed, report } from '../../service/testing/faults/fault-rounds.ts';
import {
  type HostPlace,
  type HostProcess,
  makeHostPlace,
} from '../../service/testing/faults/host-process.ts';
import { randomOf } from '../../service/testing/faults/random.ts';

const rounds = faultRounds({ short: 2, long: 60 });
const dayMs = 24 * 60 * 60 * 1_000;
/** When a host that was started makes up for what was missed. */
const catchUpMs = 5_000;
const settled = { timeout: 30_000 };

let place: HostPlace;
beforeAll(async () => {
  place = await makeHostPlace({ preloads: ['shift-clock'], spare: true });
  await mkdir(place.paths.workspace, { recursive: true });
});
afterAll(() => place.cleanUp());

async function daily({ client }: HostProcess): Promise<Schedule> {
  await client.call(api.setup.initialize, { body: { type: 'SQLITE' } });
  const plan = { steps: [command('echo ran >> ran && sync ran')] };
  const { id } = await client.call(api.workflows.create, { body: { name: 'Ran', plan } });
  const published = { published: true };
  await client.call(api.workflows.publish, { params: { workflowId: id }, body: published });
  return client.call(api.schedules.create, {
    body: {
      ...{ workflowId: id, durable: true, cron: '0 9 * * *', timeZone: 'UTC' },
      permissionMode: 'full-access',
    },
  });
}

const ranTimes = async (): Promise<number> => {
  const text = await readFile(join(place.paths.workspace, 'ran'), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).length;
};
const runCount = async ({ client }: HostProcess): Promise<number> =>
  (await client.call(api.agent.runs, { query: { limit: 100 } })).length;

it('a durable schedule outlives a host that is killed, and makes up for all that was missed with one run, whenever it is killed again (R-01)', async () => {
  const seed = faultSeed();
  const random = randomOf(seed);
  const first = await place.start();
  const { id, nextRunAt } = await daily(first);
  await first.kill();
  let [kept, lost] = [0, 0];
  for (let round = 1; round <= rounds; round += 1) {
    const clockOffsetMs = round * 3 * dayMs;
    const before = await ranTimes();
    const killed = await place.start({ clockOffsetMs });
    const runsBefore = await runCount(killed);
    const show = ({ client }: HostProcess) => client.call(api.schedules.show, { params: { id } });
    const waiting = await show(killed);
    if (round === 1) expect(waiting).toMatchObject({ nextRunAt, history: [], state: 'active' });
    await delay(catchUpMs - 200 + random.below(600));
    await killed.kill();
    kept += (await ranTimes()) - before;

    const next = await place.start({ clockOffsetMs });
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
    `schedules: ${rounds} rounds, seed ${seed}, ${kept} killed after the run, ${lost} while it was begun`,
  );
}, 3_600_000);
