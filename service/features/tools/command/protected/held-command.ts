import type { Mutex } from 'async-mutex';
import { continueFamily, stopFamily } from '../../../../platform/process-tree.ts';
import { type BytePath, folderOf } from './byte-path.ts';
import type { HeldWorkspace } from './held-workspace.ts';
import { WorkspaceWatch } from './watch-workspace.ts';

const firstSweepMs = 1_000;
/** Nothing tells of what appears after a flood of names, for so long; after each further one twice as long. */
const firstUnwatchedMs = 1_000;
const longestUnwatchedMs = 16_000;
/** Sweeps are closer meanwhile. */
const unwatchedSweepMs = 250;
const restsForUnwatched = 4;
/** A sweep that nothing called for takes at most this part of the time. */
const restsFor = 20;
/** One that was called for. */
const restsForCalled = 2;
/** Between two sweeps, however much appears. */
const leastRestMs = 10;
/**
 * Until a program that makes a folder has put its files into it: an empty one decides nothing, and a
 * checkout would fail halfway. One that comes again is not waited for.
 */
const folderMs = 250;
const maxFolders = 1_000;
/** Commands that have ended by then are looked after at their end. */
const watchBelowMs = 50;

/** A command that is in the sandbox. */
export interface HeldProcess {
  pid: number;
  exited: Promise<unknown>;
  end(): void;
}

/** A command that nobody was asked about, and what is done while it runs to keep its workspace. */
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
  /** It was ended since what it made came again and again, or was too much. */
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
    // Its number may be that of another one from then on.
    void process.exited.finally(() => (this.process = null));
    this.below = setTimeout(() => void this.watch.addAll(this.held.folders), watchBelowMs).unref();
  }

  /** False where something could not be put aside. */
  sweep(): Promise<boolean> {
    return this.lock.runExclusive(async () => {
      // This command is stopped, so new files are not its own.
      if (this.pauses > 0) return true;
      return this.held.sweep(() => this.endWhereDefied());
    });
  }

  private endWhereDefied(): void {
    if (!this.held.isDefied || this.process === null || this.wasEnded) return;
    this.wasEnded = true;
    this.process.end();
  }

  /** Puts its protected files aside and stops it. False where it cannot be stopped. */
  async pause(): Promise<boolean> {
    const { process } = this;
    if (this.isOver || process === null || !(await stopFamily(process.pid))) return false;
    const isClean = await this.sweep().catch(() => false);
    if (isClean) this.pauses += 1;
    else await continueFamily(process.pid);
    return isClean;
  }

  /** Accepts the protected files that exist now and lets the command run on. */
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
    // Farther down git is given time to finish what it makes, as by a clone with submodules.
    else if (folderOf(path) === this.root) this.call();
  }

  /** Looks through the workspace soon. */
  private call(): void {
    this.isCalled = true;
    if (this.isLooking) return;
    const rest = this.endedMs + Math.max(leastRestMs, this.tookMs * restsForCalled);
    this.plan(rest - performance.now());
  }

  private plan(afterMs: number): void {
    const atMs = performance.now() + afterMs;
    // However often something appears, what is planned is not put off.
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
    // Without a look at it now there is one at its end.
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
