import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { HostPaths } from '../../app/index.ts';
import { type Client, ServiceError } from '../../client/index.ts';
import { api } from '../../contract/index.ts';
import { readPackage } from '../../features/plugins/packages/package-archive.ts';
import { freshPackage } from '../../features/plugins/packages/fresh-plugin.ts';
import { PackageDirectory } from '../../features/plugins/packages/package-layout.ts';
import { snapshot } from '../package-trees.ts';
import { samplePackage } from '../sample-plugin.ts';
import type { Attempts } from './attempt.ts';
import { Cell } from './cell.ts';
import type { Random } from './random.ts';

const ids = ['acme.first', 'acme.second'];
/** Numbers of files that the versions of a plugin have besides the worker. */
const fileCounts = [1, 8, 25];
const absent = 'absent';

/** A packed version of a plugin. */
export interface PackedVersion {
  version: string;
  bytes: Buffer;
  /** Expected files after the installation. */
  tree: Record<string, string>;
}

/** Packs versions to update to, one after the other. */
export async function packVersions(id: string, folder: string): Promise<PackedVersion[]> {
  const packages = new PackageDirectory(join(folder, 'plugins'), join(folder, 'staging'));
  const packed: PackedVersion[] = [];
  for (const [index, count] of fileCounts.entries()) {
    const version = `1.${index}.0`;
    const files = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`ui/f${n}.txt`, `${version} `.repeat(500)]),
    );
    const bytes = await samplePackage({ manifest: { id, version }, files });
    const file = join(folder, 'package');
    await mkdir(folder, { recursive: true });
    await writeFile(file, bytes);
    const fresh = freshPackage(await readPackage(file));
    const tree = await snapshot((await packages.replace(fresh)).directory);
    packed.push({ version, bytes, tree });
  }
  await rm(folder, { recursive: true });
  return packed;
}

interface Written {
  id: string;
  versions: PackedVersion[];
  version: Cell<string>;
  enabled: Cell<boolean>;
}

/** Installs, updates, enables, disables and removes two plugins. */
export class PluginWriters {
  private readonly plugins: Written[];
  private readonly random: Random;

  private constructor(plugins: Written[], random: Random) {
    this.plugins = plugins;
    this.random = random;
  }

  /** `folder` is for temporary files. */
  static async make(random: Random, folder: string): Promise<PluginWriters> {
    const plugins: Written[] = [];
    for (const id of ids) {
      const versions = await packVersions(id, folder);
      plugins.push({ id, versions, version: new Cell(absent), enabled: new Cell(true) });
    }
    return new PluginWriters(plugins, random);
  }

  async work(client: Client, attempts: Attempts): Promise<void> {
    const writing = this.plugins.map(async (plugin) => {
      while (!attempts.stopped) await this.step(plugin, client, attempts);
    });
    await Promise.all(writing);
  }

  private step(plugin: Written, client: Client, attempts: Attempts): Promise<void> {
    const dice = this.random.below(10);
    if (dice < 6 || plugin.version.may(absent)) return this.upload(plugin, client, attempts);
    return dice < 9 ? toggle(plugin, client, attempts) : remove(plugin, client, attempts);
  }

  private async upload(plugin: Written, client: Client, attempts: Attempts): Promise<void> {
    const { version, bytes } = this.random.pick(plugin.versions);
    if (plugin.version.may(absent)) plugin.enabled.startChange(true);
    plugin.version.startChange(version);
    const file = new Blob([new Uint8Array(bytes)]);
    const outcome = await attempts.make(() => client.call(api.market.upload, { file }));
    if (outcome === 'lost') return;
    if (outcome.value.version !== version) throw new Error('Another version was installed.');
    plugin.version.acknowledge(version);
    plugin.enabled.see(outcome.value.enabled);
  }

  /** Checks that each plugin is complete, with a possible version and state. */
  async check(client: Client, paths: HostPaths): Promise<void> {
    await expect
      .poll(() => readdir(paths.staging), { message: 'What was left in staging is deleted' })
      .toEqual([]);
    for (const { id, version, enabled, versions } of this.plugins) {
      const found = await found404(client.call(api.plugins.show, { params: { id } }));
      version.see(found?.version ?? absent);
      if (found === null) {
        if ((await readdir(paths.plugins)).includes(id)) throw new Error(`${id} is half there.`);
        continue;
      }
      enabled.see(found.enabled);
      const expected = versions.find((one) => one.version === found.version)!.tree;
      const tree = await snapshot(join(paths.plugins, id));
      if (JSON.stringify(tree) !== JSON.stringify(expected))
        throw new Error(`${id} ${found.version} is not whole.`);
    }
  }

  /** Checks that enabled plugins answer a call. */
  async checkStartable(client: Client): Promise<void> {
    for (const { id, version, enabled } of this.plugins) {
      if (version.value === absent || !enabled.value) continue;
      const body = { callId: 'check', method: 'echo', params: { id } };
      const reply = await client.call(api.plugins.invoke, { params: { id }, body });
      if (!('result' in reply)) throw new Error(`${id} answers ${JSON.stringify(reply)}.`);
    }
  }
}

async function toggle(plugin: Written, client: Client, attempts: Attempts): Promise<void> {
  const enabled = !plugin.enabled.value;
  plugin.enabled.startChange(enabled);
  const outcome = await attempts.make(() =>
    client.call(api.market.setEnabled, { params: { id: plugin.id }, body: { enabled } }),
  );
  if (outcome !== 'lost') plugin.enabled.acknowledge(enabled);
}

async function remove(plugin: Written, client: Client, attempts: Attempts): Promise<void> {
  const query = { deleteData: 'true' } as const;
  plugin.version.startChange(absent);
  const outcome = await attempts.make(() =>
    client.call(api.market.uninstall, { params: { id: plugin.id }, query }),
  );
  if (outcome === 'lost') return;
  plugin.version.acknowledge(absent);
  plugin.enabled.acknowledge(true);
}

async function found404<T>(call: Promise<T>): Promise<T | null> {
  return call.catch((error: unknown) => {
    if (error instanceof ServiceError && error.problem.status === 404) return null;
    throw error;
  });
}
