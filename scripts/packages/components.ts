import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedPackages, type Target } from './app-files.ts';
import { bundledPackages } from './bundled-packages.ts';

/** An npm package inside a shipped package, bundled or as files. */
export interface Component {
  name: string;
  version: string;
  license: string;
  /** SHA-512 of the archive it was installed from, in hex; null if the lock file has none. */
  sha512: string | null;
  /** Folder relative to the project; packages for other systems are not installed. */
  folder: string;
  /** Folders of the components that it depends on. */
  uses: string[];
}

interface Locked {
  version: string;
  license?: string;
  integrity?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

type Lock = Record<string, Locked>;

/** Copied into `dist/` by the build, outside the bundles. */
const copiedPackages = ['@vscode/tree-sitter-wasm'];

/** Returns the npm packages in a package for `target`, sorted by folder. Needs a built `dist/`. */
export function componentsFor(target: Pick<Target, 'platform' | 'arch'>): Component[] {
  const files = [...Object.keys(shippedPackages(target)), ...copiedPackages];
  return componentsIn([...bundledPackages(), ...files.map((name) => `node_modules/${name}`)]);
}

function componentsIn(folders: string[]): Component[] {
  const lock = (JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Lock })
    .packages;
  return [...new Set(folders)].sort().flatMap((folder) => {
    const locked = lock[folder];
    if (locked === undefined) return [];
    return {
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: locked.version,
      license: locked.license ?? olderLicense(folder),
      sha512: sha512Of(locked.integrity),
      folder,
      uses: usesOf(folder, locked, lock),
    };
  });
}

/** Old packages list their licenses in their manifest only, not in the lock file. */
function olderLicense(folder: string): string {
  const { licenses = [] } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    licenses?: { type: string }[];
  };
  return licenses.map(({ type }) => type).join(' OR ') || licenseInFile(folder);
}

/** Returns the license of a package that names it only in its license file. */
function licenseInFile(folder: string): string {
  const name = readdirSync(folder).find((file) => /^licen[cs]e(\.|$)/i.test(file));
  const licenseText = name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
  return /^(The )?MIT License/.test(licenseText) ? 'MIT' : 'NOASSERTION';
}

function usesOf(folder: string, locked: Locked, lock: Lock): string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = locked;
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    .map((name) => resolveIn(folder, name, lock))
    .filter((found) => found !== null);
}

/** Resolves a package as Node does: in this folder, then in the folders above. */
function resolveIn(folder: string, name: string, lock: Lock): string | null {
  for (let parent = folder; ;) {
    const candidate = `${parent}${parent === '' ? '' : '/'}node_modules/${name}`;
    if (lock[candidate] !== undefined && existsSync(candidate)) return candidate;
    if (parent === '') return null;
    const up = parent.lastIndexOf('/node_modules/');
    parent = up === -1 ? '' : parent.slice(0, up);
  }
}

function sha512Of(integrity: string | undefined): string | null {
  const digest = /^sha512-(\S+)/.exec(integrity ?? '')?.[1];
  return digest === undefined ? null : Buffer.from(digest, 'base64').toString('hex');
}
