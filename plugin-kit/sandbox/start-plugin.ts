import { randomUUID } from 'node:crypto';
import {
  access,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import type { FileRef } from '../../service/contract/files.ts';
import type { PluginManifest } from '../../service/contract/manifest.ts';
import type { LogEvent } from '../../service/core/event-log.ts';
import { HostError } from '../../service/core/host-error.ts';
import { kitRoot } from '../kit-root.ts';
import { packPlugin } from '../pack-plugin.ts';
import { launchChromium } from './launch-chromium.ts';
import { type OpenedPage, openPage } from './open-page.ts';
import { type CallOptions, PluginCallError } from './plugin-call.ts';
import { openPluginSandbox, type PluginSandbox } from './plugin-sandbox.ts';

/** Options of `startPlugin`. */
export interface StartOptions {
  /**
   * The plugin's folder; default: the nearest one with a `manifest.json`, from the current folder
   * upwards.
   */
  directory?: string;
  /** Values for the `userConfig` of the manifest. */
  config?: Record<string, unknown>;
  /** Default `en`. */
  locale?: string;
  /** Default true. Without a sandbox the plugin can do everything that you can. */
  sandbox?: boolean;
}

/** A plugin that runs as in the host: packed, installed, with its worker in the sandbox. */
export class StartedPlugin {
  readonly id: string;
  readonly manifest: PluginManifest;
  readonly #sandbox: PluginSandbox;
  readonly #workDirectory: string;
  readonly #directory: string;
  #browser: Browser | null = null;
  readonly #pages: OpenedPage[] = [];

  private constructor(sandbox: PluginSandbox, workDirectory: string, id: string) {
    const { manifest, directory } = sandbox.host.get(id);
    this.id = id;
    this.manifest = manifest;
    this.#sandbox = sandbox;
    this.#workDirectory = workDirectory;
    this.#directory = directory;
  }

  static async start(options: StartOptions): Promise<StartedPlugin> {
    const directory = await pluginDirectory(options.directory);
    const workDirectory = await realpath(await mkdtemp(join(tmpdir(), 'plugin-test-')));
    const { locale, sandbox: sandboxed } = options;
    const sandbox = await openPluginSandbox({ workDirectory, locale, sandboxed });
    try {
      const output = join(workDirectory, 'tested.plugin');
      const packed = await packPlugin({ source: directory, output, kit: kitRoot });
      const { id } = await sandbox.install({ path: packed.file, sha256: packed.sha256 });
      if (options.config !== undefined) await sandbox.host.configure(id, options.config);
      return new StartedPlugin(sandbox, workDirectory, id);
    } catch (error) {
      await sandbox.close();
      await rm(workDirectory, { recursive: true, force: true });
      throw error;
    }
  }

  /**
   * Calls a method of the manifest and returns its result. Grants in `params` become paths, as in
   * the host.
   * @throws PluginCallError if the worker or the host refuses the call
   */
  async call<T = unknown>(
    method: string,
    params: unknown = {},
    options: CallOptions = {},
  ): Promise<T> {
    const { callId = randomUUID(), signal, onProgress } = options;
    signal?.throwIfAborted();
    const cancel = (): void => void this.#sandbox.host.cancel(this.id, callId);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const call = { callId, method, params, onProgress };
      const reply = await this.#sandbox.host.invoke(this.id, call).catch(rethrow);
      if ('error' in reply)
        throw new PluginCallError(reply.error.message, reply.error.code, reply.error.data);
      return reply.result as T;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Grants a copy of a file or folder, as if a person had chosen it. */
  async grantFile(path: string, access: 'read' | 'read-write' = 'read'): Promise<FileRef> {
    const real = await realpath(path);
    const info = await stat(real);
    const kind = info.isDirectory() ? 'directory' : 'file';
    const source = { name: basename(real), kind, size: info.size, path: real } as const;
    return this.#sandbox.files.copy(this.manifest, source, access);
  }

  /** Grants a file with this text. */
  async grantText(name: string, text: string): Promise<FileRef> {
    const folder = await mkdtemp(join(this.#workDirectory, 'text-'));
    await writeFile(join(folder, name), text);
    return this.grantFile(join(folder, name));
  }

  /** Creates an empty folder that the worker may write to. */
  createOutput(name?: string): Promise<FileRef> {
    return this.#sandbox.files.output(this.manifest, name);
  }

  /** Returns the names of the files in a granted folder. */
  async filesIn(ref: FileRef): Promise<string[]> {
    return (await readdir(this.#sandbox.files.held(this.id, ref.id).path)).sort();
  }

  readFileIn(ref: FileRef, name: string): Promise<Buffer> {
    return readFile(join(this.#sandbox.files.held(this.id, ref.id).path, name));
  }

  /** Returns the log of worker and page, oldest first. */
  log(): LogEvent[] {
    return this.#sandbox.host.get(this.id).log.recent();
  }

  /** Opens the page of the plugin in Chromium, in the same kind of frame as in the host. */
  async page(options: { theme?: 'light' | 'dark'; locale?: string } = {}): Promise<OpenedPage> {
    this.#browser ??= await launchChromium();
    const page = await openPage({
      browser: this.#browser,
      plugin: this,
      directory: this.#directory,
      log: (entry) =>
        this.#sandbox.host.get(this.id).log.add({ ...entry, logger: 'page', thread: null }),
      cancel: (callId) => this.#sandbox.host.cancel(this.id, callId),
      ...options,
    });
    this.#pages.push(page);
    return page;
  }

  async close(): Promise<void> {
    await Promise.all(this.#pages.splice(0).map((page) => page.close()));
    await this.#browser?.close();
    await this.#sandbox.close();
    await rm(this.#workDirectory, { recursive: true, force: true });
  }
}

/** Packs and installs the plugin and prepares it for calls. Close it at the end of the test. */
export function startPlugin(options: StartOptions = {}): Promise<StartedPlugin> {
  return StartedPlugin.start(options);
}

function rethrow(error: unknown): never {
  if (!(error instanceof HostError)) throw error;
  throw new PluginCallError(error.message, error.rpcCode ?? 0, { code: error.code });
}

async function pluginDirectory(named: string | undefined): Promise<string> {
  if (named !== undefined) return resolve(named);
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const found = await access(join(folder, 'manifest.json')).then(
      () => true,
      () => false,
    );
    if (found) return folder;
    if (dirname(folder) === folder)
      throw new Error('There is no manifest.json in this folder or above it. Name the directory.');
  }
}
