import { constants } from 'node:fs';
import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A folder of the kernel in which this host may create control groups. */
export interface GroupParent {
  folder: string;
  /** File of a group; a process with a single thread enters by writing `0` to it. */
  entry: string;
  /** Files of a group that hold a limit, in the order in which they are written. */
  files: { memoryBytes?: readonly string[]; tasks?: readonly string[] };
}

/** The mount of a controller, and the group of this process in it. */
export interface Hierarchy {
  version: 1 | 2;
  /** Version 1 only; those of version 2 are listed in a file. */
  controllers: readonly string[];
  /** Absolute path of this process's own group. */
  own: string;
}

/**
 * In version 2, a group has either processes or limited groups, so the host moves into this one.
 */
const hostGroup = 'plugin-host';

/**
 * Parses the mounted hierarchies from the lists of the kernel.
 * @param groups `/proc/self/cgroup`
 * @param mounts `/proc/self/mountinfo`
 */
export function hierarchiesOf(groups: string, mounts: string): Hierarchy[] {
  const own = groups
    .split('\n')
    .map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, controllers = '', path = '']) => ({ controllers: controllers.split(','), path }));
  return mounts.split('\n').flatMap((line): Hierarchy[] => {
    const match = /^\d+ \d+ \S+ (\S+) (\S+) .* - (cgroup2?) \S+ (\S+)$/.exec(line);
    if (!match) return [];
    const [, root = '', point = '', type = '', options = ''] = match;
    const mounted = type === 'cgroup2' ? [''] : options.split(',');
    const ownGroup = own.find(({ controllers }) =>
      controllers.some((name) => mounted.includes(name)),
    );
    if (!ownGroup) return [];
    const below = pathBelow(ownGroup.path, root);
    if (below === undefined) return [];
    const version = type === 'cgroup2' ? 2 : 1;
    const controllers = version === 2 ? [] : ownGroup.controllers;
    return [{ version, controllers, own: join(point, below) }];
  });
}

/** Undefined when a container sees another part of the hierarchy. */
function pathBelow(path: string, root: string): string | undefined {
  if (root === '/') return path;
  if (path === root) return '/';
  return path.startsWith(`${root}/`) ? path.slice(root.length) : undefined;
}

/** In version 1, a single thread may enter, so the kernel need not stop the others. */
const entries = { 1: 'tasks', 2: 'cgroup.procs' } as const;

const limitingFiles = {
  1: {
    memory: { memoryBytes: ['memory.limit_in_bytes'] },
    pids: { tasks: ['pids.max'] },
  },
  2: {
    memory: { memoryBytes: ['memory.max', 'memory.swap.max'] },
    pids: { tasks: ['pids.max'] },
  },
} as const;

type Controller = keyof (typeof limitingFiles)[1];
const isLimiting = (name: string): name is Controller => name === 'memory' || name === 'pids';

/**
 * Returns the folders where groups can be created; empty when the system delegates nothing to this
 * process.
 */
export async function groupParents(hierarchies: readonly Hierarchy[]): Promise<GroupParent[]> {
  const parents: GroupParent[] = [];
  for (const hierarchy of hierarchies) {
    const found = await (hierarchy.version === 1 ? parentOfOld(hierarchy) : parentOfNew(hierarchy));
    if (found) parents.push(found);
  }
  return parents;
}

async function parentOfOld({ controllers, own }: Hierarchy): Promise<GroupParent | null> {
  const [limiting] = controllers.filter(isLimiting);
  if (limiting === undefined || !(await isWritable(own))) return null;
  return { folder: own, entry: entries[1], files: limitingFiles[1][limiting] };
}

async function parentOfNew({ own }: Hierarchy): Promise<GroupParent | null> {
  const folder = basename(own) === hostGroup ? dirname(own) : own;
  const available = await linesOf(join(folder, 'cgroup.controllers'));
  const controllers = available.join(' ').split(' ').filter(isLimiting);
  if (controllers.length === 0) return null;
  const control = join(folder, 'cgroup.subtree_control');
  for (const path of [folder, join(folder, 'cgroup.procs'), control])
    if (!(await isWritable(path))) return null;
  if (!(await moveAside(folder))) return null;
  const enabled = await writeFile(control, controllers.map((name) => `+${name}`).join(' ')).then(
    () => true,
    () => false,
  );
  if (!enabled) {
    await moveAll(join(folder, hostGroup), folder);
    await rmdir(join(folder, hostGroup)).catch(() => undefined);
    return null;
  }
  const files: GroupParent['files'] = {};
  for (const name of controllers) Object.assign(files, limitingFiles[2][name]);
  return { folder, entry: entries[2], files };
}

/** A group can be divided only if it contains nothing but this host and its children. */
async function moveAside(folder: string): Promise<boolean> {
  const inside = await linesOf(join(folder, 'cgroup.procs'));
  if (inside.length === 0) return true;
  for (const pid of inside) if (!(await descendsFromHost(pid))) return false;
  await mkdir(join(folder, hostGroup)).catch(() => undefined);
  return moveAll(folder, join(folder, hostGroup));
}

async function moveAll(from: string, to: string): Promise<boolean> {
  try {
    for (const pid of await linesOf(join(from, 'cgroup.procs')))
      await writeFile(join(to, 'cgroup.procs'), pid);
    return true;
  } catch {
    return false;
  }
}

async function descendsFromHost(pid: string): Promise<boolean> {
  let at = pid;
  while (at !== '' && at !== '0') {
    if (at === String(process.pid)) return true;
    const [line = ''] = await linesOf(`/proc/${at}/stat`);
    at = /.*\) \S (\d+) /.exec(line)?.[1] ?? '';
  }
  return false;
}

async function linesOf(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean);
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
