import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, realpath, rename, rmdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { hostClosing } from '../../../core/host-error.ts';
import type { Mount } from '../../../platform/isolation/sandbox.ts';
import { TreeRemovals } from '../../../platform/trees/tree-removals.ts';

/** The two folders of a plugin: a read-only one and a writable one. */
export interface PluginTree {
  read: string;
  write: string;
}

/** The folder of a grant: inputs to read, inputs to write, or outputs. */
export type GrantFolder = 'read/in' | 'write/in' | 'write/out';

/**
 * Stores granted files below the system's temporary folder, readable only for the owner, with one
 * tree per plugin. A worker has the folders of its plugin from its start, so later grants are
 * available at once; read-only grants are in a read-only folder. The worker owns its writable
 * folders: after handing over a grant, the host neither writes there nor trusts the content.
 */
export class GrantTree {
  private readonly name: string;
  private root: Promise<string> | null = null;
  private readonly trees = new Map<string, Promise<PluginTree>>();
  private readonly removals = new TreeRemovals();
  private closed = false;

  /** Without symbolic links, because two paths of one directory would create two trees. */
  constructor(workDirectory: string) {
    const hash = createHash('sha256').update(workDirectory).digest('hex').slice(0, 16);
    this.name = `plugin-host-${hash}`;
  }

  /**
   * Removes the files that an earlier host of this working directory left; they are deleted in the
   * background.
   */
  async sweep(): Promise<void> {
    const folder = await realpath(tmpdir());
    const isRoot = (name: string): boolean =>
      name === this.name || new RegExp(`^${this.name}-\\w{6}$`).test(name);
    for (const name of (await readdir(folder)).filter(isRoot)) {
      const root = join(folder, name);
      if (await isOurs(root)) await this.removeRoot(root);
    }
  }

  treeOf(pluginId: string): Promise<PluginTree> {
    const existing = this.trees.get(pluginId);
    if (existing) return existing;
    const made = this.makeTree(pluginId);
    this.trees.set(pluginId, made);
    made.catch(() => this.trees.delete(pluginId));
    return made;
  }

  /** Creates an empty folder for one grant. */
  async createFolder(pluginId: string, where: GrantFolder): Promise<string> {
    const folder = await this.newFolderPath(pluginId, where);
    await mkdir(folder, { mode: 0o700 });
    return folder;
  }

  /** Creates an empty folder on the same disk that no worker can access. The caller removes it. */
  async stage(): Promise<string> {
    const folder = join(filesIn(await this.openRoot()), '.staged', randomUUID());
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Moves a staged folder into place as a grant; returns its new path. */
  async moveIn(pluginId: string, where: GrantFolder, staged: string): Promise<string> {
    const folder = await this.newFolderPath(pluginId, where);
    await rename(staged, folder);
    return folder;
  }

  /**
   * Returns the folder that receives uploads, on the same disk, so that they can be moved instead
   * of copied.
   */
  async incoming(): Promise<string> {
    return join(filesIn(await this.openRoot()), '.incoming');
  }

  /**
   * Returns the mounts of the plugin's worker. The folders in which the host creates new names are
   * mounted separately, because a worker cannot replace a mount with a link.
   */
  async mounts(pluginId: string): Promise<Mount[]> {
    const { read, write } = await this.treeOf(pluginId);
    return [
      { path: read, inside: '/files/read', writable: false },
      { path: join(write, 'in'), inside: '/files/write/in', writable: true },
      { path: join(write, 'out'), inside: '/files/write/out', writable: true },
    ];
  }

  /**
   * Resolves when the folder is out of its place. Deleting it continues in the background, because
   * it may be large.
   */
  async remove(folder: string): Promise<void> {
    const root = await this.root?.catch(() => null);
    if (root) await this.moveAside(root, folder);
  }

  /** Called after the worker of the plugin has ended. */
  async drop(pluginId: string): Promise<void> {
    if (this.trees.delete(pluginId))
      await this.remove(join(filesIn(await this.openRoot()), pluginId));
  }

  async close(): Promise<void> {
    this.closed = true;
    const root = await this.root?.catch(() => null);
    if (root) await this.removeRoot(root);
    await this.removals.close(closeLimitMs);
    // Fails if something could not be deleted in time; the next start deletes it.
    if (root) await rmdir(root).catch(() => undefined);
  }

  private async removeRoot(root: string): Promise<void> {
    await this.moveAside(root, filesIn(root));
    for (const name of await readdir(root))
      if (name.startsWith(asidePrefix)) this.removals.add(join(root, name));
    // Anything else in the folder does not belong to this tree.
    await rmdir(root).catch(() => undefined);
  }

  private async moveAside(root: string, folder: string): Promise<void> {
    const aside = join(root, asidePrefix + randomUUID());
    const moved = await rename(folder, aside).then(
      () => aside,
      () => folder,
    );
    this.removals.add(moved);
  }

  private async newFolderPath(pluginId: string, where: GrantFolder): Promise<string> {
    const { read, write } = await this.treeOf(pluginId);
    return join(where === 'read/in' ? read : write, basename(where), randomUUID());
  }

  private async makeTree(pluginId: string): Promise<PluginTree> {
    const folder = join(filesIn(await this.openRoot()), pluginId);
    const tree = { read: join(folder, randomUUID()), write: join(folder, randomUUID()) };
    const folders = [join(tree.read, 'in'), join(tree.write, 'in'), join(tree.write, 'out')];
    for (const path of folders) await mkdir(path, { recursive: true, mode: 0o700 });
    return tree;
  }

  private openRoot(): Promise<string> {
    if (this.closed) return Promise.reject(hostClosing());
    this.root ??= makeRoot(this.name).catch((error: unknown) => {
      this.root = null;
      throw error;
    });
    return this.root;
  }
}

/** Prefix of folders in a root that no worker can access. */
const asidePrefix = 'removed-';
/** The whole host has 4.5 s to stop, of which its workers may take 2 s. */
const closeLimitMs = 2_000;

const filesIn = (root: string): string => join(root, 'runtime-files');

/**
 * Other users may write to the temporary folder, too: an existing folder of another owner is not
 * used.
 */
async function makeRoot(name: string): Promise<string> {
  const preferred = join(await realpath(tmpdir()), name);
  await mkdir(preferred, { mode: 0o700 }).catch(() => undefined);
  const root = (await isOurs(preferred)) ? preferred : await mkdtemp(`${preferred}-`);
  await mkdir(filesIn(root), { recursive: true, mode: 0o700 });
  return root;
}

async function isOurs(path: string): Promise<boolean> {
  const info = await lstat(path).catch(() => null);
  if (!info?.isDirectory()) return false;
  if (process.platform === 'win32') return true;
  return info.uid === userInfo().uid && (info.mode & 0o077) === 0;
}
