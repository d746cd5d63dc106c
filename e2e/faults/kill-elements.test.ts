import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api, type RunDetails, type StepStatus } from '../../service/contract/index.ts';
import { command, followRuns, fullAccess } from '../../service/testing/agent-host.ts';
import { only } from '../../service/testing/chat-host.ts';
import { faultRounds, faultSeed, report } from '../../service/testing/faults/fault-rounds.ts';
import {
  type HostWorkspace,
  createHostWorkspace,
} from '../../service/testing/faults/host-process.ts';
import { randomOf } from '../../service/testing/faults/random.ts';
import { processesIn } from '../../service/testing/store/processes-of.ts';

const rounds = faultRounds({ short: 2, long: 50 });
const elementCount = 12;

let hostDir: HostWorkspace;
beforeAll(async () => {
  hostDir = await createHostWorkspace({ spare: true });
  await mkdir(hostDir.paths.workspace, { recursive: true });
});
afterAll(() => hostDir.cleanUp());

/** Each element writes its number to a file and syncs it before it answers. */
const planOf = (file: string) => ({
  steps: [
    command(`echo {{item}} >> ${file} && sync ${file} && sleep 0.1 && echo {{item}}`, [], {
      forEach: [...Array(elementCount).keys()],
    }),
  ],
});

const linesOf = async (file: string): Promise<number[]> => {
  const text = await readFile(join(hostDir.paths.workspace, file), 'utf8');
  return text.split('\n').filter(Boolean).map(Number);
};

const elementsOf = ({ executions }: RunDetails, status: StepStatus): number[] =>
  executions.flatMap((one) =>
    one.element !== undefined && one.status === status ? [one.element] : [],
  );

it('a step for each of a list whose host is killed continues without repeating a completed element [AGENT-31]', async () => {
  const seed = faultSeed();
  const random = randomOf(seed);
  let cutShort = 0;
  for (let round = 0; round < rounds; round += 1) {
    const file = `ran-${round}`;
    const first = await hostDir.start();
    if (first.mode === 'SETUP')
      await first.client.call(api.setup.initialize, { body: { type: 'SQLITE' } });
    const run = await followRuns(first).start({
      plan: planOf(file),
      config: { ...fullAccess, planApproval: false, concurrency: 3 },
    });
    const acknowledged = (): number[] =>
      only(run.events, 'step_complete').flatMap(({ element }) =>
        typeof element === 'number' ? [element] : [],
      );
    await expect.poll(() => acknowledged().length, { timeout: 60_000 }).toBeGreaterThan(1);
    await delay(random.logUniform(1, 500));
    await first.kill();
    await run.ended;
    await expect.poll(() => processesIn(hostDir.paths.workspace)).toEqual([]);
    const ran = await linesOf(file);

    const second = await hostDir.start();
    const { show, gate, approve, follow } = followRuns(second);
    const found = await show(run.runId);
    const done = elementsOf(found, 'completed');
    const open = elementsOf(found, 'unknown');
    expect(done).toEqual(expect.arrayContaining(acknowledged()));
    expect([...done, ...open]).toEqual(expect.arrayContaining(ran));
    if (found.status === 'interrupted') {
      cutShort += 1;
      expect(found.executions[0]?.status).toBe(open.length > 0 ? 'unknown' : 'pending');
      const { runId } = await second.client.call(api.agent.resume, {
        params: { runId: run.runId },
      });
      const next = follow(runId);
      expect(await gate(runId)).toMatchObject({
        gate: 'plan',
        completed: [],
        unknown: open.length > 0 ? [0] : [],
        completedElements: [{ index: 0, elements: done, elementCount }],
      });
      await approve(runId);
      await next.ended;
      const ended = await show(runId);
      expect(ended.status, `round ${round}, seed ${seed}: ${ended.error ?? ''}`).toBe('completed');
      expect(ended.executions[0]?.result).toMatchObject(
        [...Array(elementCount).keys()].map((element) => ({ stdout: `${element}\n` })),
      );
      const again = only(next.events, 'step_start').flatMap(({ element }) =>
        typeof element === 'number' ? [element] : [],
      );
      expect(again.filter((element) => done.includes(element))).toEqual([]);
    }
    const lines = await linesOf(file);
    for (const element of done) expect(lines.filter((one) => one === element)).toHaveLength(1);
    expect(new Set(lines).size).toBe(elementCount);
    await second.stop();
  }
  expect(cutShort).toBeGreaterThan(0);
  report(`elements: ${rounds} kills, ${cutShort} in the middle; seed ${seed}`);
}, 3_600_000);
