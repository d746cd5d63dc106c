import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One package of npm that is inside of what is shipped, bundled or as files. */
export interface Component {
  name: string;
  version: string;
  license: string;
  /** SHA-512 of the archive it was installed from, hex. */
  sha512: string | null;
  /** Its folder below the project. */
  folder: string;
  /** Folders of the components that it uses. */
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

/** Installs native code or builds it; at run time nothing of it is asked for. */
const onlyForInstalling = ['prebuild-install', 'node-addon-api', 'tar', 'node-gyp'];

/** Everything that `names` stand for in the lock file, in the order of their folders. */
export function componentsOf(names: string[]): Component[] {
  const lock = (JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Lock })
    .packages;
  const found = new Map<string, Component>();
  const waiting = names.map((name) => `node_modules/${name}`);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const locked = lock[folder];
    // What is optional and for another system is not installed.
    if (found.has(folder) || locked === undefined || !existsSync(folder)) continue;
    const uses = usesOf(folder, locked, lock);
    waiting.push(...uses);
    found.set(folder, {
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: locked.version,
      license: locked.license ?? 'NOASSERTION',
      sha512: sha512Of(locked.integrity),
      folder,
      uses,
    });
  }
  return [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

function usesOf(folder: string, locked: Locked, lock: Lock): string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = locked;
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    .filter((name) => !onlyForInstalling.includes(name))
    .map((name) => resolveIn(folder, name, lock))
    .filter((found) => found !== null);
}

/** As Node looks for a package: beside, then further up. */
function resolveIn(folder: string, name: string, lock: Lock): string | null {
  for (let place = folder; ;) {
    const candidate = `${place}${place === '' ? '' : '/'}node_modules/${name}`;
    if (lock[candidate] !== undefined && existsSync(candidate)) return candidate;
    if (place === '') return null;
    const up = place.lastIndexOf('/node_modules/');
    place = up === -1 ? '' : place.slice(0, up);
  }
}

function sha512Of(integrity: string | undefined): string | null {
  const digest = /^sha512-(\S+)/.exec(integrity ?? '')?.[1];
  return digest === undefined ? null : Buffer.from(digest, 'base64').toString('hex');
}

/** Packages that the shell page and the page client are bundled from. */
export function pagePackages(): string[] {
  const files = globSync('{renderer-shell,plugin-kit/plugin-client}/**/*.{ts,tsx,css}').filter(
    (file) => !/\.test\.|[\\/]testing[\\/]|vite\.config/.test(file),
  );
  const names = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"]([^.'"][^'"]*)['"]/g)].map(
      ([, name = '']) => packageName(name),
    ),
  );
  return [...new Set(names)].filter((name) => existsSync(join('node_modules', name))).sort();
}

/** `@scope/name/file` is a file of `@scope/name`. */
function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** The words of every licence, one component after the other. */
export function noticesOf(components: Component[]): string {
  return components
    .map(({ name, version, license, folder }) => {
      const texts = readdirSync(folder)
        .filter((file) => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(file))
        .sort()
        .map((file) => readFileSync(join(folder, file), 'utf8').trim());
      return [`${name} ${version} (${license})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(72)}\n\n`);
}
