import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../core/host-error.ts';
import { isOutOfFiles } from '../out-of-files.ts';
import type { GroupParent } from './group-parents.ts';
import { msg } from '../../messages/index.ts';

/** Limits for all processes of a group together. */
export interface GroupLimits {
  memoryBytes: number;
  tasks: number;
}

export type GroupLimit = keyof GroupLimits;

interface Command {
  program: string;
  args: string[];
}

/** Control groups of the Linux kernel, which a process inside cannot leave. */
export interface ControlGroups {
  /** Limits that the kernel supports here. */
  readonly limits: readonly GroupLimit[];
  /** Absolute paths of the parent folders. */
  readonly folders: readonly string[];
  /**
   * Creates a group. `name` consists of letters, digits and hyphens, and is unique.
   * @throws HostError `spawn_failed`
   */
  make(name: string, limits?: GroupLimits): Promise<ControlGroup>;
}

/** One control group and its processes. */
export interface ControlGroup {
  /** Returns a command that enters the group and then executes the program. */
  entering(program: string, args: readonly string[]): Command;
  /** Ids of the processes in the group and in nested groups. */
  members(): Promise<number[]>;
  /**
   * Removes the group once it is empty. A failed removal is repeated with later ones and at the
   * next start.
   */
  remove(): Promise<void>;
}

const prefix = 'plugin-host-';
/** The kernel may still be ending killed processes. */
const removalAttempts = 40;
const removalPauseMs = 50;

/** @param entry the program of {@link entryPrograms} for that number of parents */
export function controlGroups(parents: readonly GroupParent[], entry: string): ControlGroups {
  const pendingRemovals = new Set<string>();
  let owner: Promise<string> | undefined;
  const removeAll = async (folders: readonly string[]): Promise<void> => {
    for (const folder of pendingRemovals)
      if (await tryRemove(folder)) pendingRemovals.delete(folder);
    await Promise.all(
      folders.map(async (folder) => {
        if (!(await removeGroup(folder))) pendingRemovals.add(folder);
      }),
    );
  };
  return {
    limits: (['memoryBytes', 'tasks'] as const).filter((name) =>
      parents.some(({ files }) => name in files),
    ),
    folders: parents.map(({ folder }) => folder),
    async make(name, limits) {
      owner ??= startOf('self').then((startedAt) => `${process.pid}-${startedAt ?? 0}`);
      const folderName = `${prefix}${await owner}-${name}`;
      const folders = parents.map(({ folder }) => join(folder, folderName));
      const remove = (): Promise<void> => removeAll(folders);
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
    readFile(join(folder, 'cgroup.procs'), 'utf8').catch(instead('')),
    readdir(folder, { withFileTypes: true }).catch(instead([])),
  ]);
  const within = entries.filter((entry) => entry.isDirectory());
  const deeper = await Promise.all(within.map(({ name }) => processesIn(join(folder, name))));
  return [...text.split('\n').filter(Boolean).map(Number), ...deeper.flat()];
}

/** Returns a fallback for the contents of a removed folder. */
const instead =
  <T>(none: T) =>
  (error: unknown): T => {
    if (isOutOfFiles(error)) throw error;
    return none;
  };

/** Removes a group, with several attempts. False if it still exists. */
async function removeGroup(folder: string): Promise<boolean> {
  for (let attempt = 1; attempt <= removalAttempts; attempt += 1) {
    if (await tryRemove(folder)) return true;
    await delay(removalPauseMs);
  }
  return false;
}

/** Removes a group with its nested groups. False while it contains processes. */
async function tryRemove(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await tryRemove(join(folder, entry.name));
  return rmdir(folder).then(
    () => true,
    (error: unknown) => (error as NodeJS.ErrnoException).code !== 'EBUSY',
  );
}

/** Removes the groups of hosts that have ended, except those with processes. */
export async function sweepGroups(parents: readonly GroupParent[]): Promise<void> {
  for (const { folder } of parents)
    for (const name of await readdir(folder).catch(() => [])) {
      const [, pid, startedAt] = new RegExp(`^${prefix}(\\d+)-(?:(\\d+)-)?`).exec(name) ?? [];
      if (pid === undefined) continue;
      const runsAt = await startOf(pid);
      // Another process may have the id of the host by now.
      const isOwned = runsAt !== null && (startedAt ?? runsAt) === runsAt;
      if (!isOwned) await tryRemove(join(folder, name));
    }
}

/** Position in the fields of `/proc/<pid>/stat` after the name. */
const startTimeIndex = 19;

/** Start time of a process in clock ticks; null if there is no process with that id. */
async function startOf(pid: number | string): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields[startTimeIndex] ?? null;
}

function notMade(cause: unknown): HostError {
  const message = isOutOfFiles(cause)
    ? msg('processes.noControlGroupOpenFiles')
    : msg('processes.noControlGroup');
  return new HostError('upstream-failed', 'spawn_failed', message, { cause });
}
