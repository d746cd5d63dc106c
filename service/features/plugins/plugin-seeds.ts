import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gt } from 'semver';
import type { Log } from '../../platform/log.ts';
import { sha256Of } from '../../platform/sha256-of.ts';
import { acceptPackage } from './packages/accept-package.ts';
import type { PluginHost } from './plugin-host.ts';
import type { PluginStore } from './plugin-store.ts';

/** Result of installing the packages that ship with the host. */
export interface SeedReport {
  /** Samples that could not be built for this machine, with the reasons. */
  skipped: { id: string; reason: string }[];
}

/**
 * Installs the packages that ship with the host, once per version, each verified against the
 * SHA-256 file beside it. Uninstalled ones are not restored.
 */
export async function seedPlugins(
  host: PluginHost,
  store: PluginStore,
  directory: string,
  log: Log,
): Promise<SeedReport> {
  const names = await readdir(directory).catch(() => [] as string[]);
  const seeded = await store.seeded();
  for (const name of names) {
    const [, id, version] = /^(.+?)-(\d+\.\d+\.\d+.*)\.plugin$/.exec(name) ?? [];
    if (!id || !version || !isNews(seeded.get(id), version)) continue;
    try {
      await seedOne(host, join(directory, name));
      await store.markSeeded(id, version);
      log.info('plugins', `${id} ${version} was installed from the built-in source`);
    } catch (error) {
      log.error('plugins', `${name} cannot be installed from the built-in source`, error);
    }
  }
  return { skipped: await readSkipped(directory) };
}

const isNews = (seeded: string | undefined, version: string): boolean =>
  seeded === undefined || gt(version, seeded);

async function seedOne(host: PluginHost, path: string): Promise<void> {
  const claimed = await readFile(`${path}.sha256`, 'utf8');
  const checksum = { claimed, required: true };
  const file = { path, sha256: await sha256Of(path) };
  const { plugin, checked } = await acceptPackage(file, { trust: 'shipped', checksum });
  const installed = host.find(plugin.id);
  if (installed && !gt(checked.manifest.version, installed.manifest.version)) return;
  await host.install(plugin);
}

async function readSkipped(directory: string): Promise<SeedReport['skipped']> {
  try {
    return JSON.parse(
      await readFile(join(directory, 'left-out.json'), 'utf8'),
    ) as SeedReport['skipped'];
  } catch {
    return [];
  }
}
