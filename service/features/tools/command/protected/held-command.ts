import type { Mutex } from 'async-mutex';
import { continueFamily, stopFamily } from '../../../../platform/process-tree.ts';
import { type BytePath, folderOf } from './byte-path.ts';
import type { HeldWorkspace } from './held-workspace.ts';
import { WorkspaceWatch } from './watch-workspace.ts';

const firstSweepMs = 1_000;
/** After a flood of names no events arrive for this time; each further flood doubles it. */
const firstUnwatchedMs = 1_000;
const longestUnwatchedMs = 16_000;
/** Interval of sweeps during that time. */
const unwatchedSweepMs = 250;
const restsForUnwatched = 4;
/** A periodic sweep takes at most one part in this many of the time. */
const restsFor = 20;
/** The same for a sweep that an event requested. */
const restsForCalled = 2;
/** Minimum time between two sweeps, however many events arrive. */
const leastRestMs = 10;
/**
 * Time for a program to fill a new folder: an empty one decides nothing, and a checkout would fail
 * halfway. A folder that appears again gets no such time.
 */
const folderMs = 250;
const maxFolders = 1_000;
/** Commands that end earlier than this are checked only at their end. */
const watchBelowMs = 50;

/** The sandboxed process of a command. */
export interface HeldProcess {
  pid: number;
  exited: Promise<unknown>;
  end(): void;
}

/** A command without approval, and the protection of its workspace while it runs. */
export class HeldCommand {
  private readonly held: HeldWorkspace;
  private readonly lock: Mutex;
  private readonly watch: WorkspaceWatch;
  private process: HeldProcess | null = null;
  private pauses = 0;
  private readonly folders = new Map<BytePath, NodeJS.Timeout>();
  private timer: NodeJS.Timeout | undefined;
  private below: NodeJS.Timeout | undefined;
  private plannedMs = Infinity;
  private endedMs = -Infinity;
  private tookMs = 0;
  private isLooking = false;
  private isCalled = false;
  private unwatchedMs = firstUnwatchedMs;
  private isUnwatched = false;
  private isOver = false;
  /**
   * True if it was ended because it recreated protected files again and again, or created too many.
   */
  wasEnded = false;

  constructor(held: HeldWorkspace, lock: Mutex) {
    this.held = held;
    this.lock = lock;
    this.plan(firstSweepMs);
    this.watch = new WorkspaceWatch(held.root, held.hidden, {
      onAppeared: (path, isFolder) => {
        const isFirst = isFolder && held.timesOf(path) === 0;
        if (isFirst) this.later(path);
        else this.appeared(path);
      },
      onFlooded: () => {
        this.isUnwatched = true;
        this.call();
        this.below = setTimeout(() => void this.watchAgain(), this.unwatchedMs).unref();
        this.unwatchedMs = Math.min(this.unwatchedMs * 2, longestUnwatchedMs);
      },
    });
  }

  get root(): BytePath {
    return this.held.root;
  }

  putAside(): string[] {
    return [...this.held.putAside.keys()];
  }

  runs(process: HeldProcess): void {
    this.process = process;
    // Another process may get the same id from then on.
    void process.exited.finally(() => (this.process = null));
    this.below = setTimeout(() => void this.watch.addAll(this.held.folders), watchBelowMs).unref();
  }

  /** Returns false if something could not be put aside. */
  sweep(): Promise<boolean> {
    return this.lock.runExclusive(async () => {
      // The command is paused, so it did not create the new files.
      if (this.pauses > 0) return true;
      return this.held.sweep(() => this.endWhereDefied());
    });
  }

  private endWhereDefied(): void {
    if (!this.held.isDefied || this.process === null || this.wasEnded) return;
    this.wasEnded = true;
    this.process.end();
  }

  /**
   * Puts the protected files of the command aside and pauses it. Returns false if it cannot be
   * paused.
   */
  async pause(): Promise<boolean> {
    const { process } = this;
    if (this.isOver || process === null || !(await stopFamily(process.pid))) return false;
    const isClean = await this.sweep().catch(() => false);
    if (isClean) this.pauses += 1;
    else await continueFamily(process.pid);
    return isClean;
  }

  /** Accepts the protected files that exist now and resumes the command. */
  async goOn(): Promise<void> {
    try {
      await this.lock.runExclusive(() => this.held.accept());
    } finally {
      this.pauses -= 1;
      if (this.pauses === 0 && this.process !== null) await continueFamily(this.process.pid);
    }
  }

  stopLooking(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    clearTimeout(this.below);
    for (const timer of this.folders.values()) clearTimeout(timer);
    this.watch.close();
  }

  private async watchAgain(): Promise<void> {
    this.isUnwatched = false;
    await this.watch.addAll(this.held.folders);
  }

  private later(path: BytePath): void {
    if (this.folders.has(path) || this.folders.size >= maxFolders) return;
    const check = (): void => {
      this.folders.delete(path);
      this.appeared(path);
    };
    this.folders.set(path, setTimeout(check, folderMs).unref());
  }

  private appeared(path: BytePath): void {
    if (this.isOver || this.pauses > 0) return;
    if (this.held.sweepOne(path)) this.endWhereDefied();
    // Deeper in the tree, git gets time to finish, as in a clone with submodules.
    else if (folderOf(path) === this.root) this.call();
  }

  /** Requests a sweep soon. */
  private call(): void {
    this.isCalled = true;
    if (this.isLooking) return;
    const rest = this.endedMs + Math.max(leastRestMs, this.tookMs * restsForCalled);
    this.plan(rest - performance.now());
  }

  private plan(afterMs: number): void {
    const atMs = performance.now() + afterMs;
    // New events do not postpone a planned sweep.
    if (this.isOver || atMs >= this.plannedMs) return;
    clearTimeout(this.timer);
    this.plannedMs = atMs;
    this.timer = setTimeout(() => void this.sweepNow(), Math.max(0, afterMs)).unref();
  }

  private async sweepNow(): Promise<void> {
    const startedMs = performance.now();
    this.plannedMs = Infinity;
    this.isLooking = true;
    this.isCalled = false;
    // If this sweep fails, the one at the end of the command remains.
    await this.sweep().catch(() => undefined);
    this.endedMs = performance.now();
    this.tookMs = this.endedMs - startedMs;
    this.isLooking = false;
    const [leastMs, rests] = this.isUnwatched
      ? [unwatchedSweepMs, restsForUnwatched]
      : [firstSweepMs, restsFor];
    this.plan(Math.max(leastMs, this.tookMs * rests));
    if (this.isCalled) this.call();
  }
}
