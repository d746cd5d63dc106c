/* eslint-disable no-restricted-syntax -- a new file must be examined at the moment of its event; a promise would be too late. */
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { setImmediate as soon } from 'node:timers/promises';
import {
  isFolderPointer,
  isProtectedName,
  protectedInGit,
} from '../../../../core/protected-names.ts';
import { bufferOf, type BytePath, entriesOf, tryStat, within } from './byte-path.ts';

/** Watches are a limited resource, and editors need them as well. */
const maxWatches = 10_000;
const partOfWatches = 8;
/** Folders to process before yielding to other work. */
const foldersAtOnce = 50;
/** Node delivers events without a pause while more arrive, which blocks everything else. */
const longestTurnMs = 100;

/**
 * Folders with thousands of entries, from package installations and git, are left to the slower
 * sweep.
 */
const isBulk = (path: BytePath): boolean => /\/(?:node_modules|\.git\/objects)(?:\/|$)/.test(path);

interface WorkspaceEvents {
  onAppeared(path: BytePath, isFolder: boolean): void;
  /** Called when names change too fast to check each; no more events follow. */
  onFlooded(): void;
}

/**
 * Reports immediately when a file that decides what runs later seems to appear in a workspace. May
 * report too much. Without enough watches for all folders, it reports nothing for the others.
 */
export class WorkspaceWatch {
  private readonly watchers = new Map<BytePath, FSWatcher>();
  private readonly events: WorkspaceEvents;
  private readonly root: BytePath;
  private readonly hidden: readonly BytePath[];
  private readonly max = allowedWatches();
  private turnStartedMs: number | null = null;
  private isFlooded = false;
  private isOver = false;

  /** Watches the top of the workspace, where programs look first. */
  constructor(root: BytePath, hidden: readonly BytePath[], events: WorkspaceEvents) {
    this.events = events;
    this.root = root;
    this.hidden = hidden;
    this.add(root);
  }

  /** Watches these folders, too, also again after a flood. */
  async addAll(folders: Iterable<BytePath>): Promise<void> {
    this.isFlooded = false;
    this.add(this.root);
    let count = 0;
    for (const folder of folders) {
      if (this.isOver || this.isFlooded || this.watchers.size >= this.max) return;
      this.add(folder);
      count += 1;
      if (count % foldersAtOnce === 0) await soon();
    }
  }

  close(): void {
    this.isOver = true;
    this.closeAll();
  }

  private closeAll(): void {
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  private add(folder: BytePath): boolean {
    const isFull = this.watchers.size >= this.max;
    if (this.isOver || this.isFlooded || isFull || this.watchers.has(folder) || isBulk(folder))
      return false;
    if (this.hidden.includes(folder)) return false;
    try {
      const watcher = watch(bufferOf(folder), { persistent: false, encoding: 'latin1' });
      watcher.on('change', (event, name) => {
        if (this.isTurnOver()) return;
        // Writing to an existing file creates nothing.
        if (event === 'rename') this.inspect(folder, name as string | null);
      });
      // The sweep finds it, too.
      watcher.on('error', () => this.drop(folder));
      this.watchers.set(folder, watcher);
      return true;
    } catch {
      return false;
    }
  }

  private drop(folder: BytePath): void {
    this.watchers.get(folder)?.close();
    this.watchers.delete(folder);
  }

  private isTurnOver(): boolean {
    const nowMs = performance.now();
    if (this.turnStartedMs === null) setImmediate(() => (this.turnStartedMs = null));
    this.turnStartedMs ??= nowMs;
    if (this.isOver || this.isFlooded) return true;
    if (nowMs - this.turnStartedMs < longestTurnMs) return false;
    this.isFlooded = true;
    this.closeAll();
    this.events.onFlooded();
    return true;
  }

  private inspect(folder: BytePath, name: string | null): void {
    if (name === null) return;
    const path = within(folder, name);
    const stat = tryStat(path);
    if (stat === null) return this.drop(path);
    const isFolder = stat.isDirectory();
    if (mayDecide(folder, name)) this.events.onAppeared(path, isFolder);
    if (isFolder) this.addNew(path);
  }

  /** Also examines existing entries, which were created before the watch began. */
  private addNew(folder: BytePath): void {
    const pending = [folder];
    for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
      if (this.isTurnOver()) return;
      const stat = tryStat(one);
      if (stat === null || !this.add(one)) continue;
      for (const entry of entriesOf(one, stat) ?? []) {
        if (this.isTurnOver()) return;
        const path = within(one, entry.name);
        if (mayDecide(one, entry.name)) this.events.onAppeared(path, entry.isDirectory());
        if (entry.isDirectory()) pending.push(path);
      }
    }
  }
}

const mayDecide = (folder: BytePath, name: string): boolean =>
  isFolderPointer(folder, name) ||
  isProtectedName(folder, name) ||
  protectedInGit.has(name.toLowerCase());

function allowedWatches(): number {
  try {
    const ofUser = Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
    return Math.min(maxWatches, Math.floor(ofUser / partOfWatches));
  } catch {
    return 0;
  }
}
