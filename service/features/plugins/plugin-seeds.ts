import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gt } from 'semver';
import type { Log } from '../../platform/log.ts';
import { freshPackage } from './packages/fresh-plugin.ts';
import { readPackage } from './packages/package-archive.ts';
import { checkChecksum, checkManifest } from './packages/package-intake.ts';
import type { PluginHost } from './plugin-host.ts';
import type { PluginStore } from './plugin-store.ts';

export interface SeedReport {
  /** Samples that could not be built for this machine, and why. */
  leftOut: { id: string; reason: string }[];
}

/**
 * The trusted path: packages that ship with the host are installed once per version, each
 * verified against the SHA-256 sidecar beside it. One that was uninstalled does not come back.
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
  return { leftOut: await readLeftOut(directory) };
}

const isNews = (seeded: string | undefined, version: string): boolean =>
  seeded === undefined || gt(version, seeded);

async function seedOne(host: PluginHost, file: string): Promise<void> {
  const claimed = await readFile(`${file}.sha256`, 'utf8');
  checkChecksum({ actual: await sha256Of(file), claimed, required: true });
  const checked = await readPackage(file);
  await checkManifest(checked.manifest);
  const installed = host.find(checked.manifest.id);
  if (installed && !gt(checked.manifest.version, installed.manifest.version)) return;
  await host.install(freshPackage(checked), 'OFFICIAL');
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function readLeftOut(directory: string): Promise<SeedReport['leftOut']> {
  try {
    return JSON.parse(
      await readFile(join(directory, 'left-out.json'), 'utf8'),
    ) as SeedReport['leftOut'];
  } catch {
    return [];
  }
}
