import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from 'async-mutex';
import type { CommandLocation } from '../workspace.ts';
import { bytePath, type BytePath } from './byte-path.ts';
import { HeldCommand, type HeldProcess } from './held-command.ts';
import { HeldWorkspace, holdWorkspace, type HoldState, type Mounts } from './held-workspace.ts';
import { WorkspaceWalk } from './workspace-walk.ts';

const maxWalks = 8;
const maxSweeps = 3;
/**
 * Longest pause of other commands during an approved call; after it, their changes can no longer be
 * told apart.
 */
const maxPauseMs = 30_000;

/** Protected files that a command created or changed without permission. */
export interface HoldEnd {
  /** Paths relative to the workspace. */
  putAside: string[];
  /** False if something could not be put aside. */
  isClean: boolean;
  /** True if the command was ended because it recreated the same file again and again. */
  wasEnded: boolean;
}

/** A hold on the protected files of a workspace, for one command. */
export interface Hold extends Mounts {
  /** Called when the command has started. */
  runs(process: HeldProcess): void;
  /** Called when all processes of the command have ended. */
  end(): Promise<HoldEnd>;
}

/** Keeps commands without approval from files that decide what runs later. */
export class ProtectedFiles {
  private readonly folder: string;
  private readonly maxFolders: number;
  private readonly walks = new Map<string, WorkspaceWalk>();
  private readonly holds = new Set<HeldCommand>();
  /** Records on disk of commands whose workspace may still contain new protected files. */
  private readonly leftoverRecords = new Map<HeldCommand, string>();
  private readonly lock = new Mutex();
  private recovered: Promise<void> | null = null;

  /**
   * `folder` stores records of running commands, in case the host is killed. A workspace with more
   * than `maxFolders` folders is not surveyed before each command.
   */
  constructor(folder: string, maxFolders = 200_000) {
    this.folder = folder;
    this.maxFolders = maxFolders;
  }

  /** @throws HostError `workspace_too_large`, `not_protectable` */
  async hold({ workspace, hidden }: CommandLocation): Promise<Hold> {
    await this.recover();
    const walk = this.walkOf(workspace);
    // Files that other running commands created are put aside first, before they count as a
    // person's.
    const others = this.beside(bytePath(workspace));
    for (const command of others) if (await command.sweep()) await this.forget(command);
    const { state, mounts } = await holdWorkspace(walk, { workspace, hidden }, this.maxFolders);
    const held = new HeldWorkspace(walk, state);
    held.keepOpen();
    const file = await this.writeRecord(state).catch((error: unknown) => {
      held.release();
      throw error;
    });
    const command = new HeldCommand(held, this.lock);
    this.holds.add(command);
    return {
      ...mounts,
      // If no other command runs in the workspace, nothing moves while the mounts are made.
      inodes: others.length === 0 ? [] : mounts.inodes,
      runs: (process) => command.runs(process),
      end: async () => {
        command.stopLooking();
        const isClean = await sweepOften(command).catch(() => false);
        held.release();
        // Otherwise the next command or the next host handles the record.
        this.leftoverRecords.set(command, file);
        if (isClean) await this.forget(command);
        return { putAside: command.putAside(), isClean, wasEnded: command.wasEnded };
      },
    };
  }

  /**
   * Allows one command to change protected files. With `wait`, other commands are paused meanwhile
   * and new files are accepted. `done` resolves with the files that were put aside because one of
   * the others kept running.
   */
  async allow({ workspace }: CommandLocation, wait: boolean): Promise<() => Promise<string[]>> {
    const beside = this.beside(bytePath(workspace));
    const paused: HeldCommand[] = [];
    for (const command of beside) if (wait && (await command.pause())) paused.push(command);
    await Promise.all(beside.map((command) => command.sweep().catch(() => false)));
    const before = new Map(beside.map((command) => [command, command.putAside()]));
    const goOn = async (): Promise<void> => {
      clearTimeout(timer);
      // A file that could not be examined is put aside as if another command had created it.
      for (const command of paused.splice(0)) await command.goOn().catch(() => undefined);
    };
    const timer = setTimeout(() => void goOn(), maxPauseMs).unref();
    return async () => {
      // A command that was paused until now created nothing meanwhile.
      const still = new Set(paused);
      await goOn();
      const now = this.beside(bytePath(workspace)).filter((command) => !still.has(command));
      await Promise.all(now.map((command) => command.sweep().catch(() => false)));
      return now.flatMap((command) =>
        command.putAside().filter((path) => before.get(command)?.includes(path) !== true),
      );
    };
  }

  /** Deletes the record of a command that has ended. */
  private async forget(command: HeldCommand): Promise<void> {
    const file = this.leftoverRecords.get(command);
    if (file === undefined) return;
    this.leftoverRecords.delete(command);
    this.holds.delete(command);
    await rm(file, { force: true });
  }

  private beside(root: BytePath): HeldCommand[] {
    return [...this.holds].filter((command) => overlap(command.root, root));
  }

  /** Sweeps the workspaces in which a killed host had commands running. */
  private recover(): Promise<void> {
    return (this.recovered ??= (async () => {
      for (const name of await readdir(this.folder).catch(() => [])) {
        const file = join(this.folder, name);
        const isClean = await sweepAfter(file).catch(() => false);
        // Otherwise the next start tries again.
        if (isClean) await rm(file, { force: true });
      }
    })());
  }

  /** Cleans up after a host that was killed. */
  start(): void {
    void this.recover();
  }

  private async writeRecord(state: HoldState): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = join(this.folder, `${randomUUID()}.json`);
    await writeFile(file, JSON.stringify(state), { mode: 0o600 });
    return file;
  }

  private walkOf(workspace: string): WorkspaceWalk {
    const walk = this.walks.get(workspace) ?? new WorkspaceWalk();
    this.walks.delete(workspace);
    this.walks.set(workspace, walk);
    const [oldest] = this.walks.keys();
    if (this.walks.size > maxWalks && oldest !== undefined) this.walks.delete(oldest);
    return walk;
  }
}

async function sweepOften(command: HeldCommand): Promise<boolean> {
  for (let n = 0; n < maxSweeps; n += 1) if (await command.sweep()) return true;
  return false;
}

const overlap = (one: BytePath, other: BytePath): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

async function sweepAfter(file: string): Promise<boolean> {
  const state = JSON.parse(await readFile(file, 'utf8')) as HoldState;
  return new HeldWorkspace(new WorkspaceWalk(), state).sweep();
}
