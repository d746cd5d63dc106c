import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, realpath, rename, rmdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { hostClosing } from '../../../core/host-error.ts';
import type { Mount } from '../../../platform/isolation/sandbox.ts';
import { TreeRemovals } from '../../../platform/trees/tree-removals.ts';

/** The two folders of a plugin: what it may only read, and what it may write. */
export interface PluginTree {
  read: string;
  write: string;
}

/** Where a grant lies: what came in, only to be read or also written, or what is to go out. */
export type GrantFolder = 'read/in' | 'write/in' | 'write/out';

/**
 * Where granted files lie: below the system's temporary folder, for the owner alone, one tree for each
 * plugin. A worker has the folders of its plugin from its start, so that whatever is granted later is
 * there for it at once; what it may only read lies where it can only read. What it may write belongs to
 * it from then on: the host neither writes there any more nor trusts what it finds.
 */
export class GrantTree {
  private readonly name: string;
  private root: Promise<string> | null = null;
  private readonly trees = new Map<string, Promise<PluginTree>>();
  private readonly removals = new TreeRemovals();
  private closed = false;

  /** Two paths of one directory would be two trees, so it is a path without links. */
  constructor(workDirectory: string) {
    const hash = createHash('sha256').update(workDirectory).digest('hex').slice(0, 16);
    this.name = `plugin-host-${hash}`;
  }

  /** Takes away what a host of this working directory left behind; it is deleted in the background. */
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

  /** A new empty folder for one grant. */
  async createFolder(pluginId: string, where: GrantFolder): Promise<string> {
    const folder = await this.newFolderPath(pluginId, where);
    await mkdir(folder, { mode: 0o700 });
    return folder;
  }

  /** A new empty folder that no worker sees, on the same disk. Whoever asked removes it. */
  async stage(): Promise<string> {
    const folder = join(filesIn(await this.openRoot()), '.staged', randomUUID());
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Hands a staged folder over as a grant; its new path. */
  async moveIn(pluginId: string, where: GrantFolder, staged: string): Promise<string> {
    const folder = await this.newFolderPath(pluginId, where);
    await rename(staged, folder);
    return folder;
  }

  /** Where uploads are received, so that they are moved and not copied. */
  async incoming(): Promise<string> {
    return join(filesIn(await this.openRoot()), '.incoming');
  }

  /**
   * As the worker of the plugin sees its files. The folders in which the host makes new names are
   * mounted each by itself, because no worker can put a link in the place of a mount.
   */
  async mounts(pluginId: string): Promise<Mount[]> {
    const { read, write } = await this.treeOf(pluginId);
    return [
      { path: read, inside: '/files/read', writable: false },
      { path: join(write, 'in'), inside: '/files/write/in', writable: true },
      { path: join(write, 'out'), inside: '/files/write/out', writable: true },
    ];
  }

  /** It is out of its place when this resolves, and deleted in the background: it may be much. */
  async remove(folder: string): Promise<void> {
    const root = await this.root?.catch(() => null);
    if (root) await this.moveAside(root, folder);
  }

  /** Its worker has ended. */
  async drop(pluginId: string): Promise<void> {
    if (this.trees.delete(pluginId))
      await this.remove(join(filesIn(await this.openRoot()), pluginId));
  }

  async close(): Promise<void> {
    this.closed = true;
    const root = await this.root?.catch(() => null);
    if (root) await this.removeRoot(root);
    await this.removals.close(closeLimitMs);
    // Unless something could not be deleted in time: then the next start does it.
    if (root) await rmdir(root).catch(() => undefined);
  }

  private async removeRoot(root: string): Promise<void> {
    await this.moveAside(root, filesIn(root));
    for (const name of await readdir(root))
      if (name.startsWith(asidePrefix)) this.removals.add(join(root, name));
    // Whatever else lies there is not of this tree.
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

/** Of a root; no worker sees what is called so. */
const asidePrefix = 'removed-';
/** The whole host has 4.5 s to stop, of which its workers may take two. */
const closeLimitMs = 2_000;

const filesIn = (root: string): string => join(root, 'runtime-files');

/** Others may write to the temporary folder too: what is there already and is not ours is not used. */
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
