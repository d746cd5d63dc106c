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
  /** Stays the same for as long as the copy does, also over a restart of the host. */
  installedAt: Date;
  manifest: PluginManifest;
  /** Null for a `.plugin` package. */
  origin: PluginOrigin | null;
  /** Of a `.plugin` package that came from a catalog. */
  listing?: PackageListing;
}

/** What is there but cannot be used, with a clause that says why. */
export interface InstalledProblem {
  id: string;
  reason: string;
}

/** Hooks into the replacement of an installed package. */
export interface ReplaceOptions {
  /** Called when the new copy is complete and nothing has changed yet: the time to stop the worker. */
  beforeSwap?: () => Promise<void>;
  signal?: AbortSignal;
}

/**
 * The installed packages on disk: `<plugins>/<id>/` each, complete at any time.
 *
 * A copy comes to its place, and leaves it, by a rename, which happens or does not. A replacement
 * takes two: `<id>` to `staging/old-<id>`, then the new copy to `<id>`. Only in between is there an
 * `old-<id>` and no `<id>`; whoever finds that puts the old copy back. Before an old copy is deleted
 * it gets a name without meaning, so that a half-deleted one is never put back.
 */
export class PackageDirectory {
  readonly #plugins: string;
  readonly #staging: string;
  /** Changes of one plugin happen one after the other. */
  readonly #changing = new KeyedMutex();
  readonly #abort = new AbortController();
  readonly #sweeping = new TreeRemovals();

  /** Both directories must be on one file system. */
  constructor(pluginsDirectory: string, stagingDirectory: string) {
    this.#plugins = pluginsDirectory;
    this.#staging = stagingDirectory;
  }

  /**
   * For the start: undoes or finishes what was interrupted. The staging directory is emptied of what it
   * holds now; where that is so much that it takes longer, it goes on while the host runs already.
   */
  async sweep(): Promise<void> {
    await this.#makeDirectories();
    const unsettled = new Set<string>();
    for (const id of await this.#interrupted()) {
      // kept for the next start; `list` tells of it
      await this.#settle(id).catch(() => unsettled.add(`${oldPrefix}${id}`));
    }
    const names = (await readdir(this.#staging)).filter((name) => !unsettled.has(name));
    for (const name of names) this.#sweeping.add(join(this.#staging, name));
    await this.#sweeping.settled(sweepLimitMs);
  }

  /** Resolves when what `sweep` found is deleted, as far as it can be. */
  swept(): Promise<void> {
    return this.#sweeping.settled();
  }

  /** What is not deleted by now is left to the next start. */
  close(): Promise<void> {
    this.#abort.abort();
    return this.#sweeping.close(0);
  }

  /** What resists is left to the next sweep; it is out of its place already. */
  #discard(path: string): Promise<void> {
    return discardTree(path, this.#abort.signal);
  }

  /**
   * Has a copy made and puts it in the place of the installed one, if there is any. When this throws,
   * the installed copy is as it was and nothing is left in staging.
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

  /** Throws `cannot_delete` (kind `conflict`) when it is not possible; then the plugin is still there. */
  async remove(id: string): Promise<void> {
    await this.#changing.runExclusive(id, async () => {
      const doomed = this.#staged('removed');
      try {
        await this.#makeDirectories();
        await this.#settle(id);
        await makeDeletable(this.pathOf(id), this.#abort.signal);
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

  /** What is installed, in the order of ids. Changes nothing. */
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
      // should this fail as well, the next change or start puts the old copy back
      if (replaces) await this.#settle(id).catch(() => undefined);
      throw error;
    }
  }

  /** Afterwards there is no `old-<id>`: it was put back where nothing took its place, else deleted. */
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

/** Files are put into the folder itself only when it is unpacked. */
async function unpackedAt(directory: string): Promise<Date> {
  const { mtime } = await stat(directory);
  return mtime;
}

/** A directory that is not there holds nothing. */
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
