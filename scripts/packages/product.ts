import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { BuildKind } from '../../service/contract/builds.ts';

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

export const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

/** Names no person; `.invalid` can never be a mail domain. */
export const maintainer = 'Plugin Host maintainers <maintainers@plugin-host.invalid>';

/** Our license and the third-party notices, which every package contains. */
export const licenseFiles = ['LICENSE', 'THIRD-PARTY-NOTICES'] as const;

export const outputFolder = 'dist/packages';

/**
 * Id of the app on a Linux desktop: of its menu entry, software center entry and windows. Portals
 * accept only a reversed domain name that an installed menu entry has.
 */
export const appName = 'org.pluginhost.PluginHost';

export const desktopEntry = `${appName}.desktop`;

/** Description for software centers; version and date are those of the program. */
export const metainfo = `${appName}.metainfo.xml`;

/** Compressed as Debian requires. */
export const packedChangelog = (): Buffer => gzipSync(readFileSync('CHANGELOG.md'), { level: 9 });

export function metainfoOf(): string {
  const day = new Date(sourceTime() * 1_000).toISOString().slice(0, 10);
  return readFileSync(`packaging/${metainfo}`, 'utf8')
    .replace('@VERSION@', manifest.version.replace('-', '~'))
    .replace('@DATE@', day);
}

/** Seconds since 1970, used as the time of everything in a package. */
export function sourceTime(): number {
  const epoch = process.env['SOURCE_DATE_EPOCH'];
  if (epoch !== undefined && /^\d+$/.test(epoch)) return Number(epoch);
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' });
  return Number(/^\d+$/.exec((stdout ?? '').trim())?.[0] ?? 0);
}

export type Build = Exclude<BuildKind, 'dev'>;

/** Returns the `package.json` of the packaged program. */
export function packagedManifest(build: Build, more: object = {}): string {
  const { name, version, description, license } = manifest;
  const own = {
    name,
    version,
    description,
    license,
    private: true,
    type: 'module',
    packagedAs: build,
  };
  return `${JSON.stringify({ ...own, main: 'dist/main/index.mjs', ...more }, null, 2)}\n`;
}
