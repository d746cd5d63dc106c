import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../core/host-error.ts';
import type { ProcessSpec } from '../processes.ts';
import type { GroupParent } from './group-parents.ts';

/** Most that all processes of a sandbox together may have. */
export interface GroupLimits {
  memoryBytes: number;
  tasks: number;
}

/** Control groups of the kernel: each sandbox gets one of its own, which bounds all that runs in it. */
export interface ControlGroups {
  /** What they can limit here. */
  readonly limits: readonly (keyof GroupLimits)[];
  /** The order to start a process in a new group, which is removed once nothing is left of it. */
  within(spec: ProcessSpec, limits: GroupLimits): ProcessSpec;
}

const prefix = 'plugin-host-';
/** The kernel may still be at work on processes that were killed. */
const removalAttempts = 40;
const removalPauseMs = 50;

/** Enters the group of each file named before `--`, then becomes the program. */
const entering = `
while [ "$1" != -- ]; do
  echo 0 > "$1" || exit 126
  shift
done
shift
exec "$@"
`;

export function controlGroups(parents: readonly GroupParent[]): ControlGroups {
  return {
    limits: (['memoryBytes', 'tasks'] as const).filter((name) =>
      parents.some(({ files }) => name in files),
    ),
    within(spec, limits) {
      const name = `${prefix}${process.pid}-${randomBytes(6).toString('hex')}`;
      const folders = parents.map(({ folder }) => join(folder, name));
      const entries = parents.map(({ folder, entry }) => join(folder, name, entry));
      return {
        ...spec,
        program: '/bin/sh',
        args: ['-c', entering, 'sh', ...entries, '--', spec.program, ...spec.args],
        beforeStart: async () => {
          await Promise.all(
            parents.map((parent, at) => make(folders[at] as string, parent, limits)),
          ).catch(async (error: unknown) => {
            await Promise.all(folders.map(remove));
            throw notMade(error);
          });
          return () => void Promise.all(folders.map(remove));
        },
      };
    },
  };
}

async function make(folder: string, { files }: GroupParent, limits: GroupLimits): Promise<void> {
  await mkdir(folder);
  for (const [name, limiting] of Object.entries(files))
    for (const file of limiting)
      await writeFile(join(folder, file), String(limits[name as keyof GroupLimits]));
}

/** What cannot be removed is left to the next start. */
async function remove(folder: string): Promise<void> {
  for (let attempt = 1; attempt <= removalAttempts; attempt += 1) {
    const code = await rmdir(folder).then(
      () => null,
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    );
    if (code !== 'EBUSY') return;
    await delay(removalPauseMs);
  }
}

/** Removes the groups that hosts left behind which run no more; those with processes stay. */
export async function sweepGroups(parents: readonly GroupParent[]): Promise<void> {
  for (const { folder } of parents) {
    for (const name of await readdir(folder)) {
      const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
      if (pid !== undefined && !(await runs(pid)))
        await rmdir(join(folder, name)).catch(() => undefined);
    }
  }
}

const runs = (pid: string): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`).then(
    () => true,
    () => false,
  );

/** Whether the kernel takes the limits and the processes; leaves nothing behind. */
export async function holdsGroups(parents: readonly GroupParent[]): Promise<boolean> {
  const tried = parents.map((parent) => ({
    parent,
    folder: join(parent.folder, `${prefix}${process.pid}-trial`),
  }));
  try {
    for (const { parent, folder } of tried) {
      await make(folder, parent, { memoryBytes: 2 ** 30, tasks: 1_000 });
      for (const file of Object.values(parent.files).flat())
        if (!/^(?:1073741824|1000)$/.test((await readFile(join(folder, file), 'utf8')).trim()))
          return false;
    }
    return true;
  } catch {
    return false;
  } finally {
    await Promise.all(tried.map(({ folder }) => remove(folder)));
  }
}

function notMade(cause: unknown): HostError {
  const message =
    'The control group that limits a sandbox could not be made. Start the host again.';
  return new HostError('upstream-failed', 'spawn_failed', message, { cause });
}
