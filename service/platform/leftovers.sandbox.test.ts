import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  everyWayToLeave,
  leavingCommand,
  sleepers,
  untying,
  uniqueSeconds,
  type WayToLeave,
} from '../testing/workers/leaving.ts';
import { findControlGroups } from './control-groups/find-control-groups.ts';
import { type Sandbox, passthroughSandbox } from './isolation/sandbox.ts';
import { findIsolation } from './isolation/find-isolation.ts';
import { createProcesses, type OwnedProcess } from './processes.ts';

/** `ungrouped`: bare, on a system without control groups for the host. */
type Posture = 'bare' | 'ungrouped' | 'sandboxed';

const processes = createProcesses();
const ungrouped = createProcesses(undefined, { findGroups: () => Promise.resolve(null) });
const boxings: Record<Posture, Sandbox> = {
  bare: passthroughSandbox,
  ungrouped: passthroughSandbox,
  sandboxed: passthroughSandbox,
};
/** True if this machine supports control groups. */
const hasGroups = (await findControlGroups()) !== null;
beforeAll(async () => {
  const { sandbox, found } = await findIsolation(processes, { hostRoot: '/no/host' });
  expect(found.sandboxed).toBe(true);
  boxings.sandboxed = sandbox;
});
afterAll(() => Promise.all([processes.close(), ungrouped.close()]));

let seconds = '';
afterEach(() => {
  for (const pid of sleepers(seconds)) process.kill(pid, 'SIGKILL');
});

const isHeld = ([posture, way]: [Posture, WayToLeave]): boolean =>
  way !== untying || posture === 'sandboxed' || (posture === 'bare' && hasGroups);
const cases = (['bare', 'ungrouped', 'sandboxed'] as const)
  .flatMap((posture) => everyWayToLeave.map((way): [Posture, WayToLeave] => [posture, way]))
  .filter(isHeld);

function start(posture: Posture, way: WayToLeave, then: 'ends' | 'stays'): Promise<OwnedProcess> {
  seconds = uniqueSeconds();
  const spec = { ...leavingCommand(way, seconds, then), cwd: '/', env: {} };
  const starting = posture === 'ungrouped' ? ungrouped : processes;
  return starting.spawn(boxings[posture].wrap(spec, { mounts: [], network: false }));
}

/** Without the sandbox no process is left by then; with it, the kernel may still be ending them. */
async function expectEnded(posture: Posture): Promise<void> {
  if (posture !== 'sandboxed') expect(sleepers(seconds)).toEqual([]);
  else await expect.poll(() => sleepers(seconds)).toEqual([]);
}

describe.each(cases)('the descendants of a %s process started by %s', (posture, way) => {
  it('ends when the process is ended', async () => {
    const owned = await start(posture, way, 'stays');
    await expect.poll(() => sleepers(seconds)).toHaveLength(1);
    await owned.terminate(0);
    await expectEnded(posture);
  });

  it('ends when the process obeys the request to end', async () => {
    const owned = await start(posture, way, 'stays');
    await expect.poll(() => sleepers(seconds)).toHaveLength(1);
    await owned.terminate(5_000);
    await expectEnded(posture);
  });

  it('ends when the process has ended by itself', async () => {
    const owned = await start(posture, way, 'ends');
    await expect.poll(() => sleepers(seconds)).toHaveLength(1);
    owned.stdin.end();
    expect(await owned.exited).toEqual({ code: 0, signal: null });
    await owned.terminate(0);
    await expectEnded(posture);
  });

  it('ends when the host is killed', async () => {
    seconds = uniqueSeconds();
    const program = join(import.meta.dirname, '..', 'testing', 'workers', 'abandoning-host.ts');
    const host = spawn(process.execPath, [program, posture, way, seconds], { stdio: 'inherit' });
    const pollOptions = { timeout: 20_000 };
    await expect.poll(() => sleepers(seconds), pollOptions).toHaveLength(1);
    host.kill('SIGKILL');
    await once(host, 'exit');
    await expect.poll(() => sleepers(seconds), pollOptions).toEqual([]);
  });
});
