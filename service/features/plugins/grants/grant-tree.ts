import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Mount } from '../../../platform/isolation/box.ts';

/** The two folders of a plugin: what it may only read, and what it may write. */
export interface PluginTree {
  read: string;
  write: string;
}

/**
 * Where granted files lie: below the system's temporary folder, for the owner alone, one tree for each
 * plugin. A worker has both folders of its plugin from its start, so that whatever is granted later is
 * there for it at once; what it may only read lies where it can only read.
 */
export class GrantTree {
  private readonly wanted: string;
  private root: Promise<string> | null = null;
  private readonly trees = new Map<string, Promise<PluginTree>>();

  constructor(workDirectory: string) {
    const hash = createHash('sha256').update(workDirectory).digest('hex').slice(0, 16);
    this.wanted = join(tmpdir(), `plugin-host-${hash}`);
  }

  /** Removes what a host left behind that was killed. */
  async sweep(): Promise<void> {
    if (await isOurs(this.wanted)) await rm(filesIn(this.wanted), { recursive: true, force: true });
  }

  treeOf(pluginId: string): Promise<PluginTree> {
    const known = this.trees.get(pluginId);
    if (known) return known;
    const made = this.makeTree(pluginId);
    this.trees.set(pluginId, made);
    made.catch(() => this.trees.delete(pluginId));
    return made;
  }

  /** A new empty folder for one grant. */
  async place(pluginId: string, where: keyof PluginTree, kind: 'in' | 'out'): Promise<string> {
    const folder = join((await this.treeOf(pluginId))[where], kind, randomUUID());
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Where uploads are received, so that they are moved and not copied. */
  async incoming(): Promise<string> {
    return join(filesIn(await this.openRoot()), '.incoming');
  }

  /** As the worker of the plugin sees its files. */
  async mounts(pluginId: string): Promise<Mount[]> {
    const { read, write } = await this.treeOf(pluginId);
    return [
      { path: read, inside: '/files/read', writable: false },
      { path: write, inside: '/files/write', writable: true },
    ];
  }

  remove(folder: string): Promise<void> {
    return rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async drop(pluginId: string): Promise<void> {
    if (!this.trees.delete(pluginId)) return;
    await rm(join(filesIn(await this.openRoot()), pluginId), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    const root = await this.root?.catch(() => null);
    if (root) await rm(filesIn(root), { recursive: true, force: true, maxRetries: 3 });
  }

  private async makeTree(pluginId: string): Promise<PluginTree> {
    const folder = join(filesIn(await this.openRoot()), pluginId);
    const tree = { read: join(folder, randomUUID()), write: join(folder, randomUUID()) };
    for (const path of Object.values(tree)) await mkdir(path, { recursive: true, mode: 0o700 });
    return tree;
  }

  private openRoot(): Promise<string> {
    this.root ??= makeRoot(this.wanted).catch((error: unknown) => {
      this.root = null;
      throw error;
    });
    return this.root;
  }
}

const filesIn = (root: string): string => join(root, 'runtime-files');

/** Others may write to the temporary folder too: what is there already and is not ours is not used. */
async function makeRoot(wanted: string): Promise<string> {
  await mkdir(wanted, { mode: 0o700 }).catch(() => undefined);
  const root = (await isOurs(wanted)) ? wanted : await mkdtemp(`${wanted}-`);
  await mkdir(filesIn(root), { recursive: true, mode: 0o700 });
  return root;
}

async function isOurs(path: string): Promise<boolean> {
  const info = await lstat(path).catch(() => null);
  if (!info?.isDirectory()) return false;
  if (process.platform === 'win32') return true;
  return info.uid === userInfo().uid && (info.mode & 0o077) === 0;
}
