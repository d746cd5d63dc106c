import { cp } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileRef, PluginManifest } from '../../../contract/index.ts';
import { HostError, hostClosing } from '../../../core/host-error.ts';
import type { UploadedFile } from '../../../http/uploads.ts';
import type { Sandbox, Mount } from '../../../platform/isolation/sandbox.ts';
import { nameProblem } from '../../../platform/archives/archive-names.ts';
import { copyPlainFolder } from './copy-plain-folder.ts';
import type { Export } from './export-grant.ts';
import { checkAccess, type FileGrants } from './file-grants.ts';
import type { Grant } from './grant.ts';
import type { GrantTree } from './grant-tree.ts';
import { checkUnchanged, nativeGrant } from './native-grants.ts';
import { storeUploadedDirectory, storeUploadedFile } from './snapshot.ts';
import { msg } from '../../../messages/index.ts';

/** The file or folder that a copy is made from. */
export type Source = Pick<FileRef, 'name' | 'kind' | 'size'> & { path: string };

const usesFiles = ({ permissions }: PluginManifest): boolean =>
  permissions.some((permission) => permission.startsWith('files.'));

/** Grants files to plugins and provides them to their workers. */
export class PluginFiles {
  private readonly grants: FileGrants;
  private readonly tree: GrantTree;
  private readonly sandbox: () => Promise<Sandbox>;
  private readonly placing = new Set<Promise<unknown>>();
  private closing = false;

  constructor(grants: FileGrants, tree: GrantTree, sandbox: () => Promise<Sandbox>) {
    this.grants = grants;
    this.tree = tree;
    this.sandbox = sandbox;
  }

  list(pluginId: string): FileRef[] {
    return this.grants.list(pluginId);
  }

  /** Returns a grant with its path. @throws HostError 404 `unknown_grant` */
  held(pluginId: string, id: string): Grant {
    return this.grants.get(pluginId, id);
  }

  upload(plugin: PluginManifest, file: UploadedFile): Promise<FileRef> {
    this.check(plugin, 'read');
    return this.whileOpen(async () => {
      const folder = await this.tree.createFolder(plugin.id, 'read/in');
      const placed = await storeUploadedFile(folder, file);
      return this.grants.add(plugin.id, { ...placed, kind: 'file', access: 'read' });
    });
  }

  /** @throws HostError 400 `invalid_paths`; then no files remain */
  uploadDirectory(
    plugin: PluginManifest,
    files: readonly UploadedFile[],
    { paths, access }: { paths: readonly string[]; access: 'read' | 'read-write' },
  ): Promise<FileRef> {
    return this.grantStaged(plugin, access, async (staged) => {
      const { name, size } = await storeUploadedDirectory(staged, files, paths);
      return { name, size, kind: 'directory' };
    });
  }

  /** Copies a file that was provided for several plugins. */
  copy(plugin: PluginManifest, source: Source, access: 'read' | 'read-write'): Promise<FileRef> {
    return this.grantStaged(plugin, access, async (staged) => {
      const { name, kind, size } = source;
      await cp(source.path, join(staged, name), { recursive: true });
      return { name, kind, size };
    });
  }

  /**
   * Grants read access to a copy of a folder of the user. @throws HostError 400 `not_plain`, 413
   * `too_large`
   */
  snapshot(plugin: PluginManifest, folder: string): Promise<FileRef> {
    return this.grantStaged(plugin, 'read', async (staged) => {
      const name = basename(folder) || 'files';
      const size = await copyPlainFolder(folder, join(staged, name));
      return { name, size, kind: 'directory' };
    });
  }

  /** Grants the files that `fill` puts into an empty folder, under the name that it returns. */
  private async grantStaged(
    plugin: PluginManifest,
    access: 'read' | 'read-write',
    fill: (staged: string) => Promise<Pick<FileRef, 'name' | 'kind' | 'size'>>,
  ): Promise<FileRef> {
    this.check(plugin, access);
    return this.whileOpen(async () => {
      const staged = await this.tree.stage();
      try {
        const about = await fill(staged);
        const where = access === 'read' ? 'read/in' : 'write/in';
        const path = join(await this.tree.moveIn(plugin.id, where, staged), about.name);
        return this.grants.add(plugin.id, { ...about, path, access });
      } catch (error) {
        await this.tree.remove(staged);
        throw error;
      }
    });
  }

  /**
   * Revokes one grant and deletes its copy. The worker has the mount of a native grant until it
   * ends.
   */
  async revoke(pluginId: string, id: string): Promise<void> {
    const grant = this.grants.take(pluginId, id);
    if (grant !== undefined && grant.native === undefined)
      await this.tree.remove(dirname(grant.path));
  }

  async native(
    plugin: PluginManifest,
    request: Pick<FileRef, 'kind' | 'access'> & { path: string },
  ): Promise<FileRef> {
    this.check(plugin, request.access);
    return this.grants.add(plugin.id, await nativeGrant(request));
  }

  async output(plugin: PluginManifest, name = 'output'): Promise<FileRef> {
    this.check(plugin, 'write');
    const problem = name.includes('/') ? msg('plugins.nameSlash') : nameProblem(name);
    if (problem !== undefined)
      throw new HostError(
        'invalid',
        'invalid_name',
        msg('plugins.badOutputName', { reason: problem }),
      );
    const path = await this.whileOpen(() => this.tree.createFolder(plugin.id, 'write/out'));
    return this.grants.add(plugin.id, { name, kind: 'directory', access: 'write', size: 0, path });
  }

  /** @throws HostError 409 `grant_changed` */
  async export(plugin: PluginManifest, id: string, format?: 'zip'): Promise<Export> {
    checkAccess(plugin, 'write');
    const grant = this.grants.get(plugin.id, id);
    // Loaded on demand, so that it does not slow down the start.
    const { exportGrant } = await import('./export-grant.ts');
    return exportGrant(grant, format);
  }

  /** Returns the mounts that the worker of the plugin has from its start. */
  async mounts(plugin: PluginManifest): Promise<Mount[]> {
    if (!usesFiles(plugin)) return [];
    const mounts = await this.tree.mounts(plugin.id);
    for (const [id, grant] of this.grants.natives(plugin.id)) {
      // A call that uses a changed grant fails later; the other grants still work.
      const unchanged = await checkUnchanged(grant).then(
        () => true,
        () => false,
      );
      if (unchanged) mounts.push(nativeMount(id, grant));
    }
    return mounts;
  }

  /** Returns the params of a call with grants replaced by paths as the worker sees them. */
  async resolve(plugin: PluginManifest, params: unknown): Promise<unknown> {
    const sandbox = await this.sandbox();
    const mounts = usesFiles(plugin) ? await this.tree.mounts(plugin.id) : [];
    return this.grants.resolve(plugin, params, (grant, id) => {
      const own = grant.native ? [nativeMount(id, grant)] : mounts;
      return sandbox.inside({ mounts: own, network: false }, grant.path);
    });
  }

  /** Returns the folder that receives uploads for grants. */
  incoming(): Promise<string> {
    return this.tree.incoming();
  }

  /** Called when a plugin is removed or disabled and its worker has ended. */
  async drop(pluginId: string): Promise<void> {
    this.grants.drop(pluginId);
    await this.tree.drop(pluginId);
  }

  /** Waits for unfinished grants first, because they would recreate the removed tree. */
  async close(): Promise<void> {
    this.closing = true;
    await Promise.allSettled(this.placing);
    await this.tree.close();
  }

  private async whileOpen<T>(write: () => Promise<T>): Promise<T> {
    if (this.closing) throw hostClosing();
    const placed = write();
    this.placing.add(placed);
    try {
      return await placed;
    } finally {
      this.placing.delete(placed);
    }
  }

  private check(plugin: PluginManifest, access: Grant['access']): void {
    checkAccess(plugin, access);
    this.grants.checkCapacity(plugin);
  }
}

/** A separate path per grant: the same file may be granted for reading and again for writing. */
function nativeMount(id: string, { path, name, access }: Grant): Mount {
  return { path, inside: `/files/native/${id}/${name}`, writable: access !== 'read' };
}
