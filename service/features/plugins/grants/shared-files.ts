import { randomUUID } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import type { ActiveFileRef, ChatFile, FileRef, PluginManifest } from '../../../contract/index.ts';
import { requireChosen, type WasChosen } from '../../../core/chosen-path.ts';
import { HostError } from '../../../core/host-error.ts';
import { areOverlapping } from '../../../platform/trees/overlapping.ts';
import type { UploadedFile } from '../../../http/uploads.ts';
import type { GrantTree } from './grant-tree.ts';
import type { PluginFiles, Source } from './plugin-files.ts';
import { storeUploadedDirectory, storeUploadedFile } from './snapshot.ts';
import { msg } from '../../../messages/index.ts';

/** Dependencies of `SharedFiles`. */
export interface SharedFilesOptions {
  files: PluginFiles;
  tree: GrantTree;
  /** Returns the enabled plugins with a worker. */
  plugins: () => PluginManifest[];
  /** Restarts a worker: it gets access to native files only at its start. */
  restart: (pluginId: string) => Promise<void>;
  /** Returns true if a page may name this file of the machine by its path. */
  wasChosen: WasChosen;
  /** Files in this folder are never shared. */
  hostRoot: string;
}

/** The grants that were made for a chat or a run. */
export interface Shared {
  refs: ActiveFileRef[];
  revoke(): Promise<void>;
}

/** A chosen file in its place; `path` is null if the host must not open it. */
export interface SharedSource {
  name: string;
  kind: 'file' | 'directory';
  size: number;
  path: string | null;
}

type NativeWish = Parameters<PluginFiles['native']>[1];

const maxUploads = 200;

/**
 * Files that a person provides once and that every plugin that can use them receives as a grant.
 */
export class SharedFiles {
  private readonly options: SharedFilesOptions;
  private readonly uploads = new Map<string, Source & { folder: string }>();

  constructor(options: SharedFilesOptions) {
    this.options = options;
  }

  /** Stores one file, or a directory if `paths` are provided. */
  async upload(
    files: readonly UploadedFile[],
    paths: readonly string[] | undefined,
  ): Promise<{ uploadId: string } & Pick<FileRef, 'name' | 'kind' | 'size'>> {
    const { tree } = this.options;
    const folder = await tree.stage();
    try {
      const source = await placed(folder, files, paths);
      const uploadId = randomUUID();
      this.uploads.set(uploadId, { ...source, folder });
      await this.dropOldest();
      const { name, kind, size } = source;
      return { uploadId, name, kind, size };
    } catch (error) {
      await tree.remove(folder);
      throw error;
    }
  }

  private async dropOldest(): Promise<void> {
    const [oldest] = this.uploads;
    if (this.uploads.size <= maxUploads || oldest === undefined) return;
    this.uploads.delete(oldest[0]);
    await this.options.tree.remove(oldest[1].folder);
  }

  /**
   * Grants the chosen files, and read access to those only named by path, to every plugin that may
   * have them. If it throws, nothing is granted.
   */
  async share(chosen: readonly ChatFile[], typedPaths: readonly string[]): Promise<Shared> {
    const sharing = new Sharing(this.options);
    try {
      for (const item of chosen) await this.shareOne(item, sharing);
      for (const path of typedPaths) await sharing.native(path, 'read');
      await sharing.settle();
      return { refs: sharing.refs, revoke: () => sharing.revoke() };
    } catch (error) {
      await sharing.revoke();
      throw error;
    }
  }

  /**
   * Returns the locations of the files that `share` grants, for the host itself. A new shared
   * folder is still empty.
   */
  async sources(chosen: readonly ChatFile[]): Promise<SharedSource[]> {
    const found = await Promise.all(chosen.map((item) => this.sourceOf(item)));
    return found.filter((source) => source !== null);
  }

  private async sourceOf(item: ChatFile): Promise<SharedSource | null> {
    const { files, hostRoot } = this.options;
    const named = item.name === undefined ? {} : { name: item.name };
    const [ref] = item.refs ?? [];
    if (ref) {
      const { name, kind, size, path } = files.held(ref.pluginId, ref.id);
      return { name, kind, size, path, ...named };
    }
    if (item.uploadId !== undefined) {
      const source = this.uploads.get(item.uploadId);
      if (!source) throw unknownUpload();
      const { name, kind, size, path } = source;
      return { name, kind, size, path, ...named };
    }
    if (item.nativePath === undefined) return null;
    return { ...(await nativeSource(item.nativePath, hostRoot)), ...named };
  }

  /**
   * Must be called before files that a page names are shared or stored. @throws HostError as
   * `requireChosen`
   */
  requireChosen(files: readonly ChatFile[]): void {
    for (const { nativePath } of files)
      if (nativePath !== undefined) requireChosen(this.options.wasChosen, nativePath);
  }

  private async shareOne(item: ChatFile, sharing: Sharing): Promise<void> {
    if (item.refs) return sharing.addExisting(item.refs);
    if (item.uploadId !== undefined) {
      const source = this.uploads.get(item.uploadId);
      if (!source) throw unknownUpload();
      return sharing.copies(source);
    }
    if (item.nativePath !== undefined) {
      if (!(await sharing.native(item.nativePath, 'read-write'))) throw unknownPath();
      return;
    }
    if (item.createSharedDirectory === true) return sharing.sharedDirectory(item.name ?? 'shared');
    const message = msg('plugins.fileKindMissing');
    throw new HostError('invalid', 'invalid_body', message);
  }
}

/** Collects the grants of one turn or run. */
class Sharing {
  readonly refs: ActiveFileRef[] = [];
  private readonly own: { pluginId: string; id: string }[] = [];
  private readonly restarts = new Set<string>();
  private readonly folders: string[] = [];
  private readonly options: SharedFilesOptions;

  constructor(options: SharedFilesOptions) {
    this.options = options;
  }

  addExisting(refs: readonly ActiveFileRef[]): void {
    for (const ref of refs) {
      const held = this.options.files.list(ref.pluginId).find(({ id }) => id === ref.id);
      if (!held) throw new HostError('missing', 'unknown_grant', msg('plugins.fileGone'));
      this.refs.push({ pluginId: ref.pluginId, ...held });
    }
  }

  /** Files are read-only. A directory is writable for plugins with both permissions. */
  async copies(source: Source): Promise<void> {
    for (const plugin of this.readers()) {
      const access = source.kind === 'directory' ? accessOf(plugin) : 'read';
      this.add(plugin, await this.options.files.copy(plugin, source, access));
    }
  }

  /** Returns false if nothing at that path can be shared. */
  async native(path: string, requestedAccess: 'read' | 'read-write'): Promise<boolean> {
    const { hostRoot } = this.options;
    const found = isAbsolute(path) ? await stat(path).catch(() => null) : null;
    const kind = found?.isDirectory() ? 'directory' : found?.isFile() ? 'file' : null;
    if (kind === null || areOverlapping(hostRoot, path)) return false;
    const isPicked = requestedAccess === 'read-write' && kind === 'directory';
    for (const plugin of this.readers()) {
      if (isPicked) await this.picked(plugin, path);
      else await this.grantNative(plugin, { path, kind, access: 'read' });
    }
    return true;
  }

  /** A plugin with read access only gets a copy of a folder that others may write to. */
  private async picked(plugin: PluginManifest, path: string): Promise<void> {
    if (accessOf(plugin) === 'read')
      this.add(plugin, await this.options.files.snapshot(plugin, path));
    else await this.grantNative(plugin, { path, kind: 'directory', access: 'read-write' });
  }

  private async grantNative(plugin: PluginManifest, request: NativeWish): Promise<void> {
    this.add(plugin, await this.options.files.native(plugin, request));
    this.restarts.add(plugin.id);
  }

  async sharedDirectory(name: string): Promise<void> {
    const { tree, files } = this.options;
    const folder = await tree.stage();
    this.folders.push(folder);
    const path = join(
      folder,
      /^[\w. -]{1,100}$/.test(name) && !name.startsWith('.') ? name : 'shared',
    );
    await mkdir(path, { mode: 0o700 });
    for (const plugin of this.readers()) {
      if (accessOf(plugin) !== 'read-write') continue;
      const request = { path, kind: 'directory', access: 'read-write' } as const;
      this.add(plugin, await files.native(plugin, request));
      this.restarts.add(plugin.id);
    }
  }

  private readers(): PluginManifest[] {
    return this.options.plugins().filter(({ permissions }) => permissions.includes('files.read'));
  }

  private add(plugin: PluginManifest, ref: FileRef): void {
    this.refs.push({ pluginId: plugin.id, ...ref });
    this.own.push({ pluginId: plugin.id, id: ref.id });
  }

  async settle(): Promise<void> {
    for (const id of this.restarts) await this.options.restart(id);
  }

  async revoke(): Promise<void> {
    for (const { pluginId, id } of this.own.splice(0))
      await this.options.files.revoke(pluginId, id);
    for (const folder of this.folders.splice(0)) await this.options.tree.remove(folder);
  }
}

const accessOf = ({ permissions }: PluginManifest): 'read' | 'read-write' =>
  permissions.includes('files.write') ? 'read-write' : 'read';

/** @throws HostError 404 `unknown_path` */
async function nativeSource(chosen: string, hostRoot: string): Promise<SharedSource> {
  const path = await realpath(chosen).catch(() => null);
  const info = path === null ? null : await stat(path).catch(() => null);
  if (path === null || info === null || areOverlapping(hostRoot, path)) throw unknownPath();
  const kind = info.isDirectory() ? 'directory' : 'file';
  return { name: basename(chosen), kind, size: kind === 'file' ? info.size : 0, path };
}

async function placed(
  folder: string,
  files: readonly UploadedFile[],
  paths: readonly string[] | undefined,
): Promise<Source> {
  const [file] = files;
  if (paths === undefined && files.length === 1 && file !== undefined)
    return { kind: 'file', ...(await storeUploadedFile(folder, file)) };
  const { name, size } = await storeUploadedDirectory(
    folder,
    files,
    paths ?? files.map((one) => one.name),
  );
  return { kind: 'directory', name, size, path: join(folder, name) };
}

function unknownUpload(): HostError {
  const message = msg('plugins.uploadGone');
  return new HostError('missing', 'unknown_upload', message);
}

function unknownPath(): HostError {
  const message = msg('plugins.unknownSharedPath');
  return new HostError('missing', 'unknown_path', message);
}
