import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PluginId, type PluginManifest } from '../../../contract/manifest.ts';
import { HostError } from '../../../core/host-error.ts';
import { KeyedMutex } from '../../../core/keyed-mutex.ts';
import { makeDeletable, renameIfThere, renamePatiently } from './package-files.ts';
import { readInstalled } from './package-manifest.ts';
import type { FreshPlugin } from './fresh-plugin.ts';
import type { PackageListing, PluginOrigin } from './plugin-record.ts';
import { asDiskProblem, codeOf } from '../../../platform/archives/archive-problems.ts';
import { discardTree } from '../../../platform/trees/remove-tree.ts';
import { TreeRemovals } from '../../../platform/trees/tree-removals.ts';
import { msg } from '../../../messages/index.ts';

const directoryMode = 0o700;
const oldPrefix = 'old-';
const sweepLimitMs = 500;

/** An installed package; `directory` is the absolute path of its unpacked files. */
export interface InstalledPackage {
  id: string;
  directory: string;
  /** Constant as long as the copy exists, even across restarts of the host. */
  installedAt: Date;
  manifest: PluginManifest;
  /** Null for a `.plugin` package. */
  origin: PluginOrigin | null;
  /** Set for a `.plugin` package from a catalog. */
  listing?: PackageListing;
}

/** An installed package that cannot be used, with the reason as a clause. */
export interface InstalledProblem {
  id: string;
  reason: string;
}

/** Options for replacing an installed package. */
export interface ReplaceOptions {
  /** Called when the new copy is complete and nothing has changed yet, to stop the worker. */
  beforeSwap?: () => Promise<void>;
  signal?: AbortSignal;
}

/**
 * The installed packages on disk, each in `<plugins>/<id>/` and complete at any time.
 *
 * A copy is moved into and out of its place by a rename, which is atomic. A replacement takes two:
 * `<id>` to `staging/old-<id>`, then the new copy to `<id>`. Only in between does `old-<id>` exist
 * without `<id>`; code that finds this state restores the old copy. An old copy is renamed before
 * it is deleted, so that a partly deleted one is never restored.
 */
export class PackageDirectory {
  readonly #plugins: string;
  readonly #staging: string;
  /** Serializes changes of the same plugin. */
  readonly #changing = new KeyedMutex();
  readonly #closing = new AbortController();
  readonly #sweeping = new TreeRemovals();

  /** Both directories must be on one file system. */
  constructor(pluginsDirectory: string, stagingDirectory: string) {
    this.#plugins = pluginsDirectory;
    this.#staging = stagingDirectory;
  }

  /**
   * Undoes or completes interrupted changes, at the start. The content of the staging directory is
   * deleted; if that takes long, it continues while the host already runs.
   */
  async sweep(): Promise<void> {
    await this.#makeDirectories();
    const unsettled = new Set<string>();
    for (const id of await this.#interrupted()) {
      // left for the next start; `list` reports it
      await this.#settle(id).catch(() => unsettled.add(`${oldPrefix}${id}`));
    }
    const names = (await readdir(this.#staging)).filter((name) => !unsettled.has(name));
    for (const name of names) this.#sweeping.add(join(this.#staging, name));
    await this.#sweeping.settled(sweepLimitMs);
  }

  /** Resolves when the files that `sweep` found are deleted, as far as possible. */
  swept(): Promise<void> {
    return this.#sweeping.settled();
  }

  /** The next start deletes the rest. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#sweeping.close(0);
  }

  /** The path is already out of its place; if it cannot be deleted, the next sweep tries again. */
  #discard(path: string): Promise<void> {
    return discardTree(path, this.#closing.signal);
  }

  /**
   * Creates a copy and puts it in place of the installed one, if there is one. If it throws, the
   * installed copy is unchanged and nothing remains in staging.
   */
  async replace(
    { id, make }: FreshPlugin,
    options: ReplaceOptions = {},
  ): Promise<InstalledPackage> {
    return this.#changing.runExclusive(id, async () => {
      await this.#makeDirectories();
      const fresh = this.#staged('new');
      try {
        const made = await make(fresh, options.signal);
        if (made.manifest.id !== id) throw new Error('The copy is of another plugin.');
        await options.beforeSwap?.();
        options.signal?.throwIfAborted();
        await this.#swap(id, fresh);
        await this.#retire(id).catch(() => undefined);
        const directory = this.pathOf(id);
        return { id, directory, installedAt: await unpackedAt(directory), ...made };
      } catch (error) {
        await this.#discard(fresh);
        throw asDiskProblem(error);
      }
    });
  }

  /**
   * @throws HostError 409 `cannot_delete` if that is impossible; then the plugin is still installed
   */
  async remove(id: string): Promise<void> {
    await this.#changing.runExclusive(id, async () => {
      const doomed = this.#staged('removed');
      try {
        await this.#makeDirectories();
        await this.#settle(id);
        await makeDeletable(this.pathOf(id), this.#closing.signal);
        await renameIfThere(this.pathOf(id), doomed);
      } catch (error) {
        throw cannotDelete(error);
      }
      await this.#discard(doomed);
    });
  }

  pathOf(id: string): string {
    if (!PluginId.safeParse(id).success) throw new Error('Not a plugin id.');
    return join(this.#plugins, id);
  }

  /** Returns the installed packages, ordered by id. Changes nothing. */
  async list(): Promise<{ installed: InstalledPackage[]; problems: InstalledProblem[] }> {
    const installed: InstalledPackage[] = [];
    const problems: InstalledProblem[] = [];
    const entries = await orNone(readdir(this.#plugins, { withFileTypes: true }));
    const ids = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    for (const id of ids.sort()) {
      const directory = join(this.#plugins, id);
      const found = await readInstalled(directory);
      if (typeof found === 'string') problems.push({ id, reason: found });
      else if (found.manifest.id !== id)
        problems.push({ id, reason: 'its manifest has another id' });
      else installed.push({ id, directory, installedAt: await unpackedAt(directory), ...found });
    }
    for (const id of await this.#interrupted()) {
      if (!ids.includes(id)) {
        problems.push({ id, reason: 'its update was interrupted and could not be undone' });
      }
    }
    return { installed, problems };
  }

  async #swap(id: string, fresh: string): Promise<void> {
    await this.#settle(id);
    const replaces = await renameIfThere(this.pathOf(id), this.#oldOf(id));
    try {
      await renamePatiently(fresh, this.pathOf(id));
    } catch (error) {
      // if this fails as well, the next change or start restores the old copy
      if (replaces) await this.#settle(id).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Afterwards there is no `old-<id>`: it was restored if nothing replaced it, otherwise deleted.
   */
  async #settle(id: string): Promise<void> {
    if (await exists(this.pathOf(id))) await this.#retire(id);
    else await renameIfThere(this.#oldOf(id), this.pathOf(id));
  }

  async #retire(id: string): Promise<void> {
    const doomed = this.#staged('replaced');
    if (await renameIfThere(this.#oldOf(id), doomed)) await this.#discard(doomed);
  }

  async #interrupted(): Promise<string[]> {
    const names = await orNone(readdir(this.#staging));
    return names
      .filter((name) => name.startsWith(oldPrefix))
      .map((name) => name.slice(oldPrefix.length))
      .filter((id) => PluginId.safeParse(id).success);
  }

  #oldOf(id: string): string {
    return join(this.#staging, `${oldPrefix}${id}`);
  }

  #staged(what: 'new' | 'replaced' | 'removed'): string {
    return join(this.#staging, `${what}-${randomUUID()}`);
  }

  async #makeDirectories(): Promise<void> {
    await mkdir(this.#plugins, { recursive: true, mode: directoryMode });
    await mkdir(this.#staging, { recursive: true, mode: directoryMode });
  }
}

/** Files are added directly to the folder only when it is unpacked. */
async function unpackedAt(directory: string): Promise<Date> {
  const { mtime } = await stat(directory);
  return mtime;
}

/** A missing directory is empty. */
async function orNone<T>(reading: Promise<T[]>): Promise<T[]> {
  return reading.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function cannotDelete(cause: unknown): HostError {
  return new HostError('conflict', 'cannot_delete', msg('package.filesUndeletable'), { cause });
}
