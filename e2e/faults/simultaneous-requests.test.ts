import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { faultRounds, report } from '../../service/testing/faults/fault-rounds.ts';
import { type BuiltHost, createHosts } from '../built-host.ts';

const rounds = faultRounds({ short: 2, long: 20 });

const hosts = createHosts();
afterEach(() => hosts.cleanUp());

const announced = (host: BuiltHost): boolean => host.stdout().includes('HOST_PORT=');
const ended = (host: BuiltHost): boolean => host.child.exitCode !== null;

it('of two hosts that start in one folder at the same moment one runs, the other ends with code 3', async () => {
  const workDirectory = await hosts.makeFolder();
  const lock = join(workDirectory, '.host', 'host.lock');
  for (let round = 0; round < rounds; round += 1) {
    // Each round after the first finds the lock of a killed host.
    const args = ['--port=0', '--setup=SQLITE'];
    const both = await Promise.all([1, 2].map(() => hosts.start({ workDirectory, args })));
    await expect.poll(() => both.filter(ended).length, { timeout: 60_000 }).toBe(1);
    const winner = both.find((host) => !ended(host))!;
    const loser = both.find(ended)!;
    expect(await loser.exited).toEqual({ code: 3, signal: null });
    expect(loser.stderr()).toContain(`process ${winner.pid}`);
    expect(announced(loser)).toBe(false);
    const port = await winner.value('HOST_PORT');
    const health = await fetch(`http://127.0.0.1:${port}/api/health`);
    expect(await health.json()).toEqual({ status: 'ok' });
    expect(await readFile(lock, 'utf8')).toContain(`"pid":${winner.pid}`);
    winner.child.kill('SIGKILL');
    await winner.exited;
  }
  report(`two hosts at the same moment: ${rounds} times one of them ran`);
}, 1_200_000);
