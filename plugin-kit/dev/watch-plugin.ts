import { type FSWatcher, watch } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { codeOf } from '../../service/platform/archives/archive-problems.ts';

const settleMs = 80;

export interface WatchListener {
  /** Called once for changes in quick succession. */
  onChange: () => void;
  /** Called when the watcher fails; later changes may go unnoticed. */
  onFailure: (error: Error) => void;
}

/** Watches the source files of a plugin. Returns a function that stops watching. */
export function watchPlugin(directory: string, { onChange, onFailure }: WatchListener): () => void {
  let timer: NodeJS.Timeout | undefined;
  const changed = (name: string | null): void => {
    if (name !== null && isIgnored(name)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, settleMs);
  };
  const close =
    process.platform === 'linux'
      ? watchFolders(directory, changed, onFailure)
      : watchRecursively(directory, changed, onFailure);
  return () => {
    clearTimeout(timer);
    close();
  };
}

type Changed = (name: string | null) => void;
type Failed = WatchListener['onFailure'];

function watchRecursively(root: string, changed: Changed, failed: Failed): () => void {
  const watcher = watch(root, { recursive: true }, (_event, name) => changed(name));
  watcher.on('error', failed);
  return () => watcher.close();
}

/**
 * Watches every folder separately. On Linux, Node's recursive watcher follows inodes and misses all
 * later changes of a file after an editor has saved it by renaming a new file over it.
 */
function watchFolders(root: string, changed: Changed, failed: Failed): () => void {
  const watchers = new Map<string, FSWatcher>();
  let isClosed = false;

  function drop(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }

  async function add(folder: string): Promise<void> {
    try {
      const found = await (folder === root ? stat(folder) : lstat(folder));
      if (!found.isDirectory() || isClosed) return;
      drop(folder);
      const watcher = watch(folder, (event, name) => onEvent(folder, event, name));
      watcher.on('error', () => drop(folder));
      watchers.set(folder, watcher);
      for (const entry of await readdir(folder, { withFileTypes: true }))
        if (entry.isDirectory() && !isIgnored(entry.name)) await add(join(folder, entry.name));
    } catch (error) {
      // The folder was deleted in the meantime.
      if (codeOf(error) !== 'ENOENT') failed(error as Error);
    }
  }

  function onEvent(folder: string, event: string, name: string | null): void {
    if (name !== null && isIgnored(name)) return;
    changed(null);
    if (event !== 'rename' || name === null) return;
    const path = join(folder, name);
    drop(path);
    // Covers files written before the new folder was watched.
    void add(path).then(() => watchers.has(path) && changed(null));
  }

  void add(root);
  return () => {
    isClosed = true;
    drop(root);
  };
}

/** Output of packing and tools, which no package contains. */
const isIgnored = (name: string): boolean =>
  name
    .split(/[\\/]/)
    .some((part) => part.startsWith('.') || part === 'node_modules' || part === 'dist');
