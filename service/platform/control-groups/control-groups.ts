import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../core/host-error.ts';
import type { GroupParent } from './group-parents.ts';

/** Most that all processes of a group together may have. */
export interface GroupLimits {
  memoryBytes: number;
  tasks: number;
}

export type GroupLimit = keyof GroupLimits;

interface Command {
  program: string;
  args: string[];
}

/** Control groups of the kernel: what runs in one stays in it, whatever it does to itself. */
export interface ControlGroups {
  /** Limits that the kernel offers here. */
  readonly limits: readonly GroupLimit[];
  /** Where they lie. */
  readonly folders: readonly string[];
  /**
   * A new group. `name` is of letters, digits and hyphens, and given to no other.
   * @throws HostError `spawn_failed`
   */
  make(name: string, limits?: GroupLimits): Promise<ControlGroup>;
}

export interface ControlGroup {
  /** The command that enters the group and then becomes this one. */
  entering(program: string, args: readonly string[]): Command;
  /** Ids of the processes in it, and in groups within. */
  members(): Promise<number[]>;
  /** Once nothing runs in it. What cannot be removed is left to the next start. */
  remove(): Promise<void>;
}

const prefix = 'plugin-host-';
/** The kernel may still be at work on processes that were killed. */
const removalAttempts = 40;
const removalPauseMs = 50;

/** @param entry the program of {@link entryPrograms} for as many groups as there are parents */
export function controlGroups(parents: readonly GroupParent[], entry: string): ControlGroups {
  return {
    limits: (['memoryBytes', 'tasks'] as const).filter((name) =>
      parents.some(({ files }) => name in files),
    ),
    folders: parents.map(({ folder }) => folder),
    async make(name, limits) {
      const folderName = `${prefix}${process.pid}-${name}`;
      const folders = parents.map(({ folder }) => join(folder, folderName));
      const remove = async (): Promise<void> => {
        await Promise.all(folders.map(removeGroup));
      };
      await Promise.all(
        parents.map((parent, at) => makeGroup(folders[at] as string, parent, limits)),
      ).catch(async (error: unknown) => {
        await remove();
        throw notMade(error);
      });
      return {
        entering: (program, args) => ({
          program: entry,
          args: [
            ...parents.map((parent, at) => join(folders[at] as string, parent.entry)),
            program,
            ...args,
          ],
        }),
        members: async () => (await Promise.all(folders.map(processesIn))).flat(),
        remove,
      };
    },
  };
}

async function makeGroup(
  folder: string,
  { files }: GroupParent,
  limits: GroupLimits | undefined,
): Promise<void> {
  await mkdir(folder);
  if (limits === undefined) return;
  for (const [name, limiting] of Object.entries(files))
    for (const file of limiting)
      await writeFile(join(folder, file), String(limits[name as GroupLimit]));
}

async function processesIn(folder: string): Promise<number[]> {
  const [text, entries] = await Promise.all([
    readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => ''),
    readdir(folder, { withFileTypes: true }).catch(() => []),
  ]);
  const within = entries.filter((entry) => entry.isDirectory());
  const deeper = await Promise.all(within.map(({ name }) => processesIn(join(folder, name))));
  return [...text.split('\n').filter(Boolean).map(Number), ...deeper.flat()];
}

async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 1; attempt <= removalAttempts; attempt += 1) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries)
      if (entry.isDirectory()) await removeGroup(join(folder, entry.name));
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

function notMade(cause: unknown): HostError {
  const message =
    'The control group that keeps a process and all it starts together could not be made. Start the host again.';
  return new HostError('upstream-failed', 'spawn_failed', message, { cause });
}
