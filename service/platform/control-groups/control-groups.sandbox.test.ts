import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeInside, nodeMount, runInSandbox } from '../../testing/run-in-sandbox.ts';
import { createProcesses } from '../processes.ts';
import { controlGroups, sweepGroups } from './control-groups.ts';
import { findIsolation } from '../isolation/find-isolation.ts';
import type { FoundIsolation } from '../isolation/found-isolation.ts';
import { maxSandboxTasks } from '../isolation/launcher.ts';
import { type GroupParent, groupParents, hierarchiesOf } from './group-parents.ts';
import { textOf } from '../../messages/index.ts';

const processes = createProcesses();
let isolation: FoundIsolation;
let parents: GroupParent[];
beforeAll(async () => {
  isolation = await findIsolation(processes, { hostRoot: '/no/host' });
  const [groups = '', mounts = ''] = await Promise.all(
    ['cgroup', 'mountinfo'].map((name) => readFile(`/proc/self/${name}`, 'utf8')),
  );
  parents = await groupParents(hierarchiesOf(groups, mounts));
});
afterAll(() => processes.close());

const limited = (what: 'memoryBytes' | 'tasks'): boolean =>
  parents.some(({ files }) => what in files);
const remainingGroups = async (): Promise<string[]> => {
  const names = await Promise.all(parents.map(({ folder }) => readdir(folder)));
  return names.flat().filter((name) => name.startsWith(`plugin-host-${process.pid}-`));
};

describe('a sandbox', () => {
  it('is limited by a control group if available, which the report mentions', () => {
    const { resourceLimits, reason = '' } = isolation.found;
    const both = limited('memoryBytes') && limited('tasks');
    expect(resourceLimits).toBe(both ? 'cgroup' : 'rlimit');
    expect(textOf(reason).includes('Memory is limited for each process')).toBe(
      !limited('memoryBytes'),
    );
  });

  it('has a memory limit for all of its processes together, or for each of them', async () => {
    const child = `const taken = []; for (let i = 0; i < 12; i += 1) taken.push(Buffer.alloc(16 << 20, 1)); console.log('done')`;
    const script = `
      const { spawn } = require('node:child_process');
      const ends = [1, 2, 3, 4, 5, 6].map(() => new Promise((resolve) => {
        const child = spawn(process.execPath, ['-e', ${JSON.stringify(child)} + '; setTimeout(() => {}, 1500)']);
        let out = '';
        child.stdout.on('data', (data) => (out += data));
        child.on('close', () => resolve(out.trim()));
      }));
      Promise.all(ends).then((said) => console.log(said.filter((text) => text === 'done').length))`;
    const { stdout } = await runInSandbox(processes, isolation.sandbox, {
      program: nodeInside,
      args: ['-e', script],
      // Six times 192 MiB, plus the memory of Node itself.
      sandboxSpec: { mounts: [nodeMount], memoryMb: 700 },
    });
    if (limited('memoryBytes')) expect(Number(stdout || 0)).toBeLessThan(6);
    else expect(Number(stdout)).toBe(6);
  });

  it('of root also has a process limit if a control group counts them', async () => {
    const script = `
      my $started = 0;
      while ($started < ${maxSandboxTasks + 50}) {
        my $child = fork; last unless defined $child;
        if (!$child) { sleep 600 } $started += 1 }
      print "$started\n"; kill 'KILL', -1`;
    const { stdout } = await runInSandbox(processes, isolation.sandbox, {
      program: '/usr/bin/perl',
      args: ['-e', `$| = 1; ${script}`],
    });
    const counted = limited('tasks') || process.getuid?.() !== 0;
    if (counted) expect(Number(stdout)).toBeLessThan(maxSandboxTasks);
    else expect(Number(stdout)).toBe(maxSandboxTasks + 50);
  });

  it('removes its group', async () => {
    const { code } = await runInSandbox(processes, isolation.sandbox, {
      program: '/bin/true',
      args: [],
    });
    expect(code).toBe(0);
    await expect.poll(remainingGroups).toEqual([]);
  });
});

it('groups of an ended host are removed at the next start, those of a running one stay', async () => {
  const staleGroup = 'plugin-host-4194999-1-ab';
  const within = join(staleGroup, 'plugin-host');
  // Another process with this id was started later.
  const followed = `plugin-host-${process.pid}-1-ab`;
  const ours = await controlGroups(parents, '/no/entry').make('ab');
  const [existing = ''] = await remainingGroups();
  for (const { folder } of parents)
    for (const name of [staleGroup, within, followed]) await mkdir(join(folder, name));
  await sweepGroups([...parents, { folder: '/no/such/folder', entry: '', files: {} }]);
  const there = (name: string): boolean[] =>
    parents.map(({ folder }) => existsSync(join(folder, name)));
  expect(there(staleGroup)).toEqual(parents.map(() => false));
  expect(there(followed)).toEqual(parents.map(() => false));
  expect(there(existing)).toEqual(parents.map(() => true));
  await ours.remove();
});

it('a group with a long-running process is removed after that has ended', async () => {
  const groups = controlGroups(parents, '/no/entry');
  const long = await groups.make('long');
  const sleeper = spawn('/bin/sleep', ['60']);
  const ended = once(sleeper, 'exit');
  const [name = ''] = await remainingGroups();
  for (const { folder } of parents)
    await writeFile(join(folder, name, 'cgroup.procs'), String(sleeper.pid));
  await long.remove();
  expect(await remainingGroups()).not.toEqual([]);
  sleeper.kill('SIGKILL');
  await ended;
  await (await groups.make('other')).remove();
  expect(await remainingGroups()).toEqual([]);
});
