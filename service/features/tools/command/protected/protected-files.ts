import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Turns } from '../../../../core/turns.ts';
import type { CommandPlace } from '../workspace.ts';
import { bytePath, type BytePath } from './byte-path.ts';
import { HeldWorkspace, holdWorkspace, type KnownState, type Mounts } from './held-workspace.ts';
import { watchRoot } from './watch-root.ts';
import { WorkspaceWalk } from './workspace-walk.ts';

const firstSweepMs = 1_000;
/** A sweep takes at most this part of the time. */
const restsFor = 20;
/** Between two sweeps, however much appears. */
const leastRestMs = 100;
const maxWalks = 8;
const maxSweeps = 3;

/** A hold on the protected files of a workspace, for one command. */
export interface Hold extends Mounts {
  /** Nothing of the command runs any more. Resolves with what was put aside. */
  end(): Promise<string[]>;
}

/** Keeps commands that nobody was asked about from what decides what runs later. */
export class ProtectedFiles {
  private readonly folder: string;
  private readonly maxFolders: number;
  private readonly walks = new Map<string, WorkspaceWalk>();
  private readonly holds = new Set<HeldWorkspace>();
  /** Roots of commands that run now and may change these files. */
  private readonly allowed: BytePath[] = [];
  private readonly turns = new Turns();
  private recovered: Promise<void> | null = null;

  /**
   * `folder` is where it is written down what runs, for the case that the host is killed. A workspace
   * that has more than `maxFolders` when a command is to start is not looked through before each.
   */
  constructor(folder: string, maxFolders = 200_000) {
    this.folder = folder;
    this.maxFolders = maxFolders;
  }

  /** @throws HostError `workspace_too_large`, `not_protectable` */
  async hold({ workspace, hidden }: CommandPlace): Promise<Hold> {
    await this.recover();
    const walk = this.walkOf(workspace);
    // What others that run have made is put aside before it could be taken for a person's.
    const others = [...this.holds].filter((held) => overlap(held.root, bytePath(workspace)));
    for (const held of others) await this.sweep(held);
    const { state, mounts } = await holdWorkspace(walk, { workspace, hidden }, this.maxFolders);
    const held = new HeldWorkspace(walk, state);
    held.keepOpen();
    const file = await this.note(state).catch((error: unknown) => {
      held.release();
      throw error;
    });
    this.holds.add(held);
    const stop = this.sweepNowAndThen(held);
    return {
      ...mounts,
      // Alone in the workspace nobody moves anything while the mounts are made.
      inodes: others.length === 0 ? [] : mounts.inodes,
      end: async () => {
        stop();
        let isClean = false;
        for (let n = 0; n < maxSweeps && !isClean; n += 1)
          isClean = await this.sweep(held).catch(() => false);
        held.release();
        // Else the next command looks after it, or the next host.
        if (isClean) this.holds.delete(held);
        if (isClean) await rm(file, { force: true });
        return [...held.putAside];
      },
    };
  }

  /** For a command that may change them: what appears until `done` may be there. */
  async allow({ workspace }: CommandPlace): Promise<() => Promise<void>> {
    const root = bytePath(workspace);
    await Promise.all([...this.holds].map((held) => this.sweep(held)));
    this.allowed.push(root);
    return () =>
      this.turns.alone(async () => {
        for (const held of this.holds) if (overlap(held.root, root)) await held.accept();
        this.allowed.splice(this.allowed.indexOf(root), 1);
      });
  }

  /** False where something could not be put aside. */
  private sweep(held: HeldWorkspace): Promise<boolean> {
    return this.turns.alone(async () => {
      if (this.allowed.some((root) => overlap(root, held.root))) return true;
      return held.sweep();
    });
  }

  private sweepNowAndThen(held: HeldWorkspace): () => void {
    let timer: NodeJS.Timeout | undefined;
    let plannedMs = Infinity;
    let endedMs = -Infinity;
    let over = false;
    const plan = (afterMs: number): void => {
      const atMs = performance.now() + afterMs;
      // However often something appears, what is planned is not put off.
      if (over || atMs >= plannedMs) return;
      clearTimeout(timer);
      plannedMs = atMs;
      timer = setTimeout(() => void work(), afterMs).unref();
    };
    const work = async (): Promise<void> => {
      const startedMs = performance.now();
      // Without a look at it now there is one at its end.
      await this.sweep(held).catch(() => undefined);
      endedMs = performance.now();
      plannedMs = Infinity;
      plan(Math.max(firstSweepMs, (endedMs - startedMs) * restsFor));
    };
    plan(firstSweepMs);
    const unwatch = watchRoot(held.root, () =>
      plan(Math.max(0, endedMs + leastRestMs - performance.now())),
    );
    return () => {
      over = true;
      clearTimeout(timer);
      unwatch();
    };
  }

  /** Sweeps where a host that was killed had commands running. */
  private recover(): Promise<void> {
    return (this.recovered ??= (async () => {
      for (const name of await readdir(this.folder).catch(() => [])) {
        const file = join(this.folder, name);
        const isClean = await sweepAfter(file).catch(() => false);
        // Else the next start looks after it.
        if (isClean) await rm(file, { force: true });
      }
    })());
  }

  /** Begins with what a host that was killed has left. */
  start(): void {
    void this.recover();
  }

  private async note(state: KnownState): Promise<string> {
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

const overlap = (one: BytePath, other: BytePath): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

async function sweepAfter(file: string): Promise<boolean> {
  const state = JSON.parse(await readFile(file, 'utf8')) as KnownState;
  return new HeldWorkspace(new WorkspaceWalk(), state).sweep();
}
