import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api, type RunDetails } from '../../service/contract/index.ts';
import { command, followRuns, fullAccess } from '../../service/testing/agent-host.ts';
import { only } from '../../service/testing/chat-host.ts';
import { faultRounds, faultSeed, report } from '../../service/testing/faults/fault-rounds.ts';
import {
  type HostWorkspace,
  createHostWorkspace,
} from '../../service/testing/faults/host-process.ts';
import { randomOf } from '../../service/testing/faults/random.ts';
import { processesIn } from '../../service/testing/store/processes-of.ts';

const rounds = faultRounds({ short: 6, long: 200 });
const stepCount = 20;

let hostDir: HostWorkspace;
beforeAll(async () => {
  hostDir = await createHostWorkspace({ spare: true });
  await mkdir(hostDir.paths.workspace, { recursive: true });
});
afterAll(() => hostDir.cleanUp());

/** Each step writes its index to a file and syncs it before it answers. */
const planOf = (file: string) => ({
  steps: Array.from({ length: stepCount }, (_, index) =>
    command(
      `echo ${index} >> ${file} && sync ${file} && echo ${index}`,
      index < 4 ? [] : [index - 4],
    ),
  ),
});

const linesOf = async (file: string): Promise<number[]> => {
  const text = await readFile(join(hostDir.paths.workspace, file), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).map(Number);
};

const indexesOf = ({ executions }: RunDetails, status: string): number[] =>
  executions.filter((one) => one.status === status).map(({ index }) => index);

function expectGapless({ events }: RunDetails): void {
  expect(events.map(({ sequence }) => sequence)).toEqual([...events.keys()]);
}

it('a run whose host is killed at any moment keeps everything it reported, repeats nothing automatically, and can be continued (R-01) [AGENT-04, AGENT-31]', async () => {
  const seed = faultSeed();
  const random = randomOf(seed);
  let [reported, unknown] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const file = `ran-${round}`;
    const first = await hostDir.start();
    if (first.mode === 'SETUP')
      await first.client.call(api.setup.initialize, { body: { type: 'SQLITE' } });
    const run = await followRuns(first).start({
      plan: planOf(file),
      config: { ...fullAccess, planApproval: false, concurrency: 4 },
    });
    await delay(random.logUniform(1, 5_000));
    await first.kill();
    await run.ended;
    const acknowledged = only(run.events, 'step_complete').map(({ index }) => Number(index));
    reported += acknowledged.length;
    // A watchdog ends processes of a killed host; until then they may still write.
    await expect.poll(() => processesIn(hostDir.paths.workspace)).toEqual([]);
    const ran = await linesOf(file);
    expect(new Set(ran).size).toBe(ran.length);

    const second = await hostDir.start();
    const { show, gate, approve, follow } = followRuns(second);
    const found = await show(run.runId);
    expectGapless(found);
    const done = indexesOf(found, 'completed');
    expect(done).toEqual(expect.arrayContaining(acknowledged));
    expect(ran).toEqual(expect.arrayContaining(done));
    const open = indexesOf(found, 'unknown');
    unknown += open.length;
    // A started step is completed or unknown, so executed steps are never reported as pending.
    expect([...done, ...open]).toEqual(expect.arrayContaining(ran));
    if (found.status === 'interrupted') {
      const { runId } = await second.client.call(api.agent.resume, {
        params: { runId: run.runId },
      });
      const next = follow(runId);
      const waits = await gate(runId);
      expect(waits).toMatchObject({ gate: 'plan', completed: done, unknown: open });
      expect(indexesOf(await show(runId), 'unknown')).toEqual(open);
      expect(await linesOf(file)).toEqual(ran);
      await approve(runId);
      await next.ended;
      const ended = await show(runId);
      expect(ended.status, `round ${round}, seed ${seed}: ${ended.error ?? ''}`).toBe('completed');
      expectGapless(ended);
      const again = only(next.events, 'step_start').map(({ index }) => Number(index));
      expect(again.sort((a, b) => a - b)).toEqual(
        [...Array(stepCount).keys()].filter((index) => !done.includes(index)),
      );
    } else expect(found.status).toBe('completed');
    expect(new Set(await linesOf(file)).size).toBe(stepCount);
    await second.stop();
  }
  report(
    `runs: ${rounds} kills, ${reported} steps told, none lost; ${unknown} unknown; seed ${seed}`,
  );
}, 3_600_000);
