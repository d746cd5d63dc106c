import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { groupParents, hierarchiesOf } from './group-parents.ts';

describe('the hierarchies that the kernel lists', () => {
  it('are a single one on a system with version 2 only', () => {
    const groups = '0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-host-7.scope\n';
    const mounts =
      '30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev shared:4 - cgroup2 cgroup2 rw,nsdelegate\n' +
      '31 23 0:27 / /sys/fs/pstore rw shared:5 - pstore pstore rw\n';
    expect(hierarchiesOf(groups, mounts)).toEqual([
      {
        version: 2,
        controllers: [],
        own: '/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/app-host-7.scope',
      },
    ]);
  });

  it('exist for each controller of version 1, as a subtree in a container', () => {
    const groups = '9:name=systemd:/\n8:pids:/docker/ab\n4:cpu,cpuacct:/other\n0::/\n';
    const mounts =
      '39 31 0:36 /docker/ab /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n' +
      '40 31 0:37 /docker/ab /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n';
    expect(hierarchiesOf(groups, mounts)).toEqual([
      { version: 1, controllers: ['pids'], own: '/sys/fs/cgroup/pids/' },
    ]);
  });

  it('do not exist on a system without control groups', () => {
    expect(hierarchiesOf('', '')).toEqual([]);
  });
});

describe('a group of version 2', () => {
  let own: string;
  beforeEach(async () => {
    own = await mkdtemp(join(tmpdir(), 'group-'));
    await writeFile(join(own, 'cgroup.controllers'), 'cpu memory pids\n');
    await writeFile(join(own, 'cgroup.subtree_control'), '');
  });
  afterEach(() => rm(own, { recursive: true }));

  const parentsWith = async (pids: readonly (string | number)[]) => {
    await writeFile(join(own, 'cgroup.procs'), pids.map((pid) => `${pid}\n`).join(''));
    return groupParents([{ version: 2, controllers: [], own }]);
  };

  it('that contains only this host is divided, and the host moves into one part', async () => {
    await mkdir(join(own, 'plugin-host'));
    expect(await parentsWith([process.pid])).toEqual([
      {
        folder: own,
        entry: 'cgroup.procs',
        files: { memoryBytes: ['memory.max', 'memory.swap.max'], tasks: ['pids.max'] },
      },
    ]);
    const part = join(own, 'plugin-host', 'cgroup.procs');
    expect(await readFile(part, 'utf8')).toBe(String(process.pid));
    const control = await readFile(join(own, 'cgroup.subtree_control'), 'utf8');
    expect(control).toBe('+memory +pids');
  });

  it('that was divided before is not divided again', async () => {
    await mkdir(join(own, 'plugin-host'));
    await writeFile(join(own, 'cgroup.procs'), '');
    const inPart = { version: 2, controllers: [], own: join(own, 'plugin-host') } as const;
    expect((await groupParents([inPart])).map(({ folder }) => folder)).toEqual([own]);
  });

  it('that contains another process is left unchanged', async () => {
    expect(await parentsWith([process.pid, process.ppid])).toEqual([]);
    expect(await readdir(own)).not.toContain('plugin-host');
    expect(await readFile(join(own, 'cgroup.subtree_control'), 'utf8')).toBe('');
  });

  it('without the controllers for memory and processes is not used', async () => {
    await writeFile(join(own, 'cgroup.controllers'), 'cpu io\n');
    expect(await parentsWith([process.pid])).toEqual([]);
  });
});
