import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { runTool } from './run-tool.ts';

/** Fields of the control file. */
export interface DebFields {
  package: string;
  version: string;
  architecture: string;
  [field: string]: string;
}

/** Input of `buildDeb`. */
export interface DebParts {
  /** Folder with the files as they will be below `/`. */
  root: string;
  fields: DebFields;
  /** Maintainer scripts by name. */
  scripts: Record<string, string>;
  /** Modification time of every file, in seconds since 1970. */
  time: number;
  output: string;
  /** gzip level, 0 to 9. gzip is fast, and every Debian release reads it. */
  level: number;
}

/** Converts an npm version: Debian sorts `~beta` before the release, as npm does with `-beta`. */
export function debianVersion(version: string): string {
  return version.replace('-', '~');
}

export function debianArchitecture(arch: string): string {
  const names: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };
  const name = names[arch];
  if (name === undefined) throw new Error(`There is no package for ${arch}.`);
  return name;
}

/** Writes a deb package. The same tree gives the same bytes. */
export function buildDeb({ root, fields, scripts, time, output, level }: DebParts): void {
  const control = join(root, 'DEBIAN');
  mkdirSync(control);
  const sums = filesBelow(root).map(
    (file) =>
      `${createHash('md5')
        .update(readFileSync(join(root, file)))
        .digest('hex')}  ${file}\n`,
  );
  writeFileSync(join(control, 'md5sums'), sums.join(''));
  writeFileSync(join(control, 'control'), controlOf(fields, sizeOf(root)));
  for (const [name, text] of Object.entries(scripts)) writeFileSync(join(control, name), text);
  for (const name of readdirSync(control))
    chmodSync(join(control, name), name in scripts ? 0o755 : 0o644);
  settle(root, time);
  mkdirSync(dirname(output), { recursive: true });
  runTool('dpkg-deb', ['--root-owner-group', '-Zgzip', `-z${level}`, '--build', root, output], {
    SOURCE_DATE_EPOCH: String(time),
  });
}

function controlOf(fields: DebFields, kib: number): string {
  const all = { ...fields, 'Installed-Size': String(kib) };
  return Object.entries(all)
    .map(([name, value]) => `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}: ${value}\n`)
    .join('');
}

/** Returns the relative paths of the files, sorted, without the files of the package format. */
export function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.split('/')[0] !== 'DEBIAN' && lstatSync(join(root, path)).isFile())
    .sort();
}

/** Installed size as Debian counts: each file rounded up to a KiB. */
function sizeOf(root: string): number {
  const kib = filesBelow(root).map((file) => Math.ceil(lstatSync(join(root, file)).size / 1_024));
  return kib.reduce((sum, one) => sum + one, 0);
}

/** Gives all folders mode 0755 and everything the same time. */
function settle(root: string, time: number): void {
  for (const path of ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })]) {
    const full = join(root, path);
    if (lstatSync(full).isDirectory()) chmodSync(full, 0o755);
  }
  for (const path of ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })])
    lutimesSync(join(root, path), time, time);
}
