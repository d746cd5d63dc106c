import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { Mutex } from 'async-mutex';
import type { NewUnpackedPlugin, UnpackedPlugin } from '../../contract/index.ts';
import { requireChosen, type WasChosen } from '../../core/chosen-path.ts';
import { HostError } from '../../core/host-error.ts';
import { isObject } from '../../core/is-object.ts';
import { type HostText, msg } from '../../messages/index.ts';
import type { Log } from '../../platform/log.ts';
import { isReservedId, type PluginHost } from '../plugins/index.ts';
import type { FolderList } from './folder-list.ts';
import type { KitProgram } from '../plugins/index.ts';
import { folderProblem, keyOf, UnpackedFolder } from './unpacked-folder.ts';

/** Dependencies of `UnpackedPlugins`. */
export interface UnpackedPluginsOptions {
  host: PluginHost;
  kit: KitProgram;
  list: FolderList;
  log: Log;
  wasChosen: WasChosen;
  /** Absolute path of `.host`, which contains no plugins of people. */
  hostRoot: string;
}

/** The folders that are loaded as plugins. They are watched while developer mode is on. */
export class UnpackedPlugins {
  readonly #options: UnpackedPluginsOptions;
  readonly #folders = new Map<string, UnpackedFolder>();
  readonly #lock = new Mutex();
  readonly #unsubscribe: () => void;
  #isOn = false;

  constructor(options: UnpackedPluginsOptions) {
    this.#options = options;
    this.#unsubscribe = options.host.changed.subscribe((id) => this.#dropUninstalled(id));
  }

  /** Loads the list of folders from the previous start. */
  async open(): Promise<void> {
    for (const stored of await this.#options.list.read()) this.#add(stored);
  }

  /** Watches all folders after `prepare`, or stops watching them; their plugins are not changed. */
  follow(isOn: boolean, prepare: () => Promise<void> = async () => undefined): Promise<void> {
    this.#isOn = isOn;
    return this.#lock.runExclusive(async () => {
      await prepare();
      const folders = [...this.#folders.values()];
      if (isOn) for (const folder of folders) folder.start();
      else await Promise.all(folders.map((folder) => folder.stop()));
    });
  }

  /** @throws HostError 409 `developer_mode_off` */
  views(): UnpackedPlugin[] {
    this.#requireOn();
    return [...this.#folders.values()].map((folder) => folder.view());
  }

  /**
   * Loads a folder that a person chose.
   * @throws HostError 400 `invalid_folder`, 403 `reserved_identity` or `not_chosen`, 409
   *   `developer_mode_off`, `folder_loaded` or `plugin_installed`, 503 `kit_missing`
   */
  load(directory: string): Promise<UnpackedPlugin> {
    this.#requireOn();
    this.#requireChosen(directory, directory);
    return this.#lock.runExclusive(() => this.#load(directory));
  }

  /** Creates a plugin and loads it. @throws as `load`, 409 `folder_not_empty`, 502 `kit_failed` */
  make(plugin: NewUnpackedPlugin): Promise<UnpackedPlugin> {
    this.#requireOn();
    const { directory, id } = plugin;
    requireAbsolute(directory);
    this.#requireChosen(directory, dirname(directory));
    refuseReserved(id);
    return this.#lock.runExclusive(async () => {
      await this.#options.kit.require();
      this.#requireOutside(directory);
      await requireEmpty(directory);
      this.#requireFreeId(id, null);
      await this.#options.kit.init(plugin);
      return this.#load(directory);
    });
  }

  /** @throws HostError 404 `unknown_folder`, 409 `developer_mode_off` */
  unload(key: string): Promise<void> {
    this.#requireOn();
    return this.#lock.runExclusive(async () => {
      const folder = this.#folders.get(key);
      if (folder === undefined)
        throw new HostError('missing', 'unknown_folder', msg('unpacked.unknown'));
      await this.#remove(folder);
      const { host } = this.#options;
      if (folder.id !== null && host.find(folder.id) !== undefined)
        await host.uninstall(folder.id, false);
    });
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await this.follow(false);
  }

  async #load(written: string): Promise<UnpackedPlugin> {
    requireAbsolute(written);
    await this.#options.kit.require();
    const problem = await folderProblem(written);
    if (problem !== null) throw new HostError('invalid', 'invalid_folder', problem);
    // Otherwise one folder with two names would be installed twice.
    const directory = await realpath(written);
    this.#requireOutside(directory);
    const id = await manifestId(directory);
    if (id !== null) refuseReserved(id);
    const earlier = this.#folders.get(keyOf(directory));
    if (earlier !== undefined && earlier.state !== 'failed')
      throw new HostError('conflict', 'folder_loaded', msg('unpacked.loaded', { directory }));
    if (id !== null) this.#requireFreeId(id, earlier ?? null);
    const folder = earlier ?? this.#add({ directory, id: null });
    await this.#write();
    folder.start();
    return folder.view();
  }

  #add(stored: { directory: string; id: string | null }): UnpackedFolder {
    const folder: UnpackedFolder = new UnpackedFolder(stored, this.#options.kit, {
      onInstalled: (id, previousId) => this.#installed(folder, id, previousId),
    });
    this.#folders.set(folder.key, folder);
    return folder;
  }

  async #remove(folder: UnpackedFolder): Promise<void> {
    await folder.stop();
    this.#folders.delete(folder.key);
    await this.#write();
  }

  #write(): Promise<void> {
    const folders = [...this.#folders.values()];
    return this.#options.list.write(folders.map(({ directory, id }) => ({ directory, id })));
  }

  /** If the id in the manifest has changed, the plugin with the earlier id is removed. */
  #installed(folder: UnpackedFolder, id: string, previousId: string | null): HostText | null {
    const { host, log } = this.#options;
    if (id === previousId) return null;
    const logError = (error: unknown): void =>
      log.error('plugins', 'A loaded folder could not be followed', error);
    this.#write().catch(logError);
    const isForeign = (one: UnpackedFolder): boolean => one !== folder && one.id === previousId;
    const others = [...this.#folders.values()];
    if (previousId !== null && host.find(previousId) !== undefined && !others.some(isForeign))
      host.uninstall(previousId, false).catch(logError);
    const isSame = others.some((one) => one !== folder && one.id === id);
    return isSame ? msg('unpacked.sameId', { id }) : null;
  }

  /** A person may uninstall the plugin instead of unloading its folder. */
  #dropUninstalled(id: string): void {
    const { host, log } = this.#options;
    if (host.find(id) !== undefined) return;
    for (const folder of this.#folders.values()) {
      if (folder.id !== id || !folder.isInstalled) continue;
      this.#remove(folder).catch((error: unknown) => {
        log.error('plugins', 'A folder could not be unloaded', error);
      });
    }
  }

  #requireOn(): void {
    if (this.#isOn) return;
    throw new HostError('conflict', 'developer_mode_off', msg('unpacked.developerModeOff'));
  }

  /** On the desktop, the shell page alone must not be able to read files. */
  #requireChosen(...paths: string[]): void {
    const { wasChosen } = this.#options;
    const [directory = ''] = paths;
    if (wasChosen === null || paths.some((path) => wasChosen(path))) return;
    requireChosen(wasChosen, directory);
  }

  #requireOutside(directory: string): void {
    const path = relative(this.#options.hostRoot, directory);
    if (path.startsWith('..') || isAbsolute(path)) return;
    throw new HostError('invalid', 'invalid_folder', msg('unpacked.insideHost', { directory }));
  }

  /** Only a copy under development may be replaced; any other plugin belongs to the person. */
  #requireFreeId(id: string, own: UnpackedFolder | null): void {
    const isOther = (one: UnpackedFolder): boolean => one !== own && one.id === id;
    const isLoaded = [...this.#folders.values()].some(isOther);
    if (isLoaded) throw new HostError('conflict', 'folder_loaded', msg('unpacked.sameId', { id }));
    const plugin = this.#options.host.find(id);
    if (plugin === undefined || plugin.isDeveloped || own?.id === id) return;
    const message = msg('unpacked.pluginInstalled', { id });
    throw new HostError('conflict', 'plugin_installed', message);
  }
}

function refuseReserved(id: string): void {
  if (!isReservedId(id)) return;
  throw new HostError('forbidden', 'reserved_identity', msg('unpacked.reservedId'));
}

function requireAbsolute(directory: string): void {
  if (isAbsolute(directory)) return;
  throw new HostError('invalid', 'invalid_folder', msg('unpacked.notAbsolute', { directory }));
}

async function requireEmpty(directory: string): Promise<void> {
  const entries = await readdir(directory).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new HostError('invalid', 'invalid_folder', msg('unpacked.noFolder', { directory }));
  });
  if (entries.length === 0) return;
  throw new HostError('conflict', 'folder_not_empty', msg('unpacked.notEmpty', { directory }));
}

/** Returns null if the manifest has no id; its problems are reported elsewhere. */
async function manifestId(directory: string): Promise<string | null> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'));
    return isObject(manifest) && typeof manifest['id'] === 'string' ? manifest['id'] : null;
  } catch {
    return null;
  }
}
