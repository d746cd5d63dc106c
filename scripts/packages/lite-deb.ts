import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { appFiles, put } from './app-files.ts';
import { componentsFor } from './components.ts';
import { buildDeb, debianArchitecture, debianVersion } from './deb.ts';
import { newestSymbol } from './newest-symbol.ts';
import {
  desktopEntry,
  licenseFiles,
  maintainer,
  manifest,
  metainfo,
  metainfoOf,
  outputFolder,
  packagedManifest,
  packedChangelog,
  sourceTime,
} from './product.ts';
import { updateChannel } from './release.ts';
import { runTool } from './run-tool.ts';
import { bomOf } from './sbom.ts';

export const litePackage = 'plugin-host-lite';
const home = 'usr/lib/plugin-host';

/** Upper limits of the package's sizes, in bytes. */
export const liteBudget = { packed: 80_000_000, installed: 180_000_000 };

/** Paths of a built package and of its bill of materials. */
export interface LiteDeb {
  file: string;
  bom: string;
  arch: string;
}

interface Options {
  output?: string;
  level?: number;
}

/**
 * Builds the package without Electron: the program, the Node it was made for, and a launcher that
 * opens the system's browser.
 */
export function buildLiteDeb({ output = outputFolder, level = 6 }: Options = {}): LiteDeb {
  const architecture = debianArchitecture(process.arch);
  const version = debianVersion(manifest.version);
  // Named by the npm version, as GitHub replaces `~` in the names of release files.
  const name = `${litePackage}_${manifest.version}_${architecture}`;
  const root = join(output, `making-${litePackage}`);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  try {
    const bom = join(output, `${name}.cdx.json`);
    writeFileSync(bom, fill(root));
    const file = join(output, `${name}.deb`);
    buildDeb({
      root,
      fields: fieldsOf(root, version, architecture),
      scripts: { prerm: resource('prerm'), postrm: resource('postrm') },
      time: sourceTime(),
      output: file,
      level,
    });
    return { file, bom, arch: process.arch };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function resource(name: string): string {
  return readFileSync(join('packaging', 'lite', name), 'utf8').replaceAll(
    '@VERSION@',
    manifest.version,
  );
}

/** Copies all files below `root`; returns the bill of materials. */
function fill(root: string): string {
  const at = (path: string): string => join(root, path);
  const target = { platform: 'linux', arch: process.arch, modules: 'node_modules' } as const;
  for (const [path, from] of appFiles(target)) put({ from, to: at(`${home}/app/${path}`) });
  write(at(`${home}/app/package.json`), packagedManifest('lite-deb', { updates: updateChannel() }));
  put({ from: pinnedNode(), to: at(`${home}/bin/node`), mode: 0o755 });
  strip(at(`${home}/bin/node`));
  strip(at(`${home}/app/node_modules/sqlite3/build/Release/node_sqlite3.node`));
  for (const name of licenseFiles) put({ from: name, to: at(`${home}/${name}`) });
  write(at(`${home}/update`), resource('update'), 0o755);
  write(at('usr/share/polkit-1/actions/plugin-host.policy'), resource('plugin-host.policy'));
  write(at('usr/bin/plugin-host'), resource('plugin-host'), 0o755);
  write(at(`usr/share/applications/${desktopEntry}`), resource(desktopEntry));
  write(at('usr/share/mime/packages/plugin-host.xml'), resource('plugin-host.xml'));
  write(at('usr/lib/systemd/user/plugin-host.service'), resource('plugin-host.service'));
  const systemUnit = 'plugin-host-system.service';
  write(at(`usr/share/doc/${litePackage}/examples/${systemUnit}`), resource(systemUnit));
  write(at('usr/share/man/man1/plugin-host.1.gz'), packed(resource('plugin-host.1')));
  putIcons(at('usr/share/icons/hicolor'));
  const bom = billOfMaterials();
  const doc = at(`usr/share/doc/${litePackage}`);
  write(join(doc, 'changelog.gz'), packedChangelog());
  write(join(doc, 'sbom.cdx.json.gz'), packed(bom));
  write(join(doc, 'copyright'), copyright());
  write(at(`usr/share/lintian/overrides/${litePackage}`), resource('lintian-overrides'));
  write(at(`usr/share/metainfo/${metainfo}`), metainfoOf());
  return bom;
}

function write(path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

function putIcons(folder: string): void {
  for (const size of [16, 32, 48, 64, 128, 256, 512]) {
    const to = join(folder, `${size}x${size}`, 'apps', 'plugin-host.png');
    put({ from: `packaging/icons/${size}x${size}.png`, to });
  }
  const to = join(folder, 'scalable', 'apps', 'plugin-host.svg');
  put({ from: 'renderer-shell/core/theme/icon.svg', to });
}

/** The Node that the tests ran on. */
function pinnedNode(): string {
  return `node_modules/${pinnedNodePackage()}/bin/node`;
}

function pinnedNodePackage(): string {
  return `node-linux-${process.arch}`;
}

/** Strips debug symbols, which also contain build paths. */
function strip(file: string): void {
  runTool('strip', ['--strip-unneeded', file]);
  chmodSync(file, file.endsWith('.node') ? 0o644 : 0o755);
}

function billOfMaterials(): string {
  const version = manifest.optionalDependencies[pinnedNodePackage()] ?? 'unknown';
  return bomOf(
    {
      name: litePackage,
      version: manifest.version,
      runtimes: [{ name: 'node', version, license: 'MIT' }],
    },
    componentsFor({ platform: 'linux', arch: process.arch }),
  );
}

const packed = (content: string | Buffer): Buffer => gzipSync(content, { level: 9 });

/**
 * Our own license and where to find the others. Debian wants common licenses referenced, not
 * copied.
 */
function copyright(): string {
  const own = readFileSync('LICENSE', 'utf8').trim();
  return `${own}

The works of others inside, each with the words of its licence, stand in
/${home}/THIRD-PARTY-NOTICES. The Apache License 2.0, which some of them have, is also
/usr/share/common-licenses/Apache-2.0 on Debian systems.
`;
}

function fieldsOf(root: string, version: string, architecture: string) {
  const native = [
    `${home}/bin/node`,
    `${home}/app/node_modules/sqlite3/build/Release/node_sqlite3.node`,
  ].map((file) => join(root, file));
  const libc = newestSymbol(native, 'GLIBC');
  return {
    package: litePackage,
    version,
    architecture,
    maintainer,
    section: 'utils',
    priority: 'optional',
    depends: `libc6 (>= ${libc}), libgcc-s1, libstdc++6`,
    recommends: 'xdg-utils, bubblewrap, git, default-jre-headless, libpangocairo-1.0-0',
    suggests: 'libh2-java, libnotify-bin',
    provides: 'plugin-host',
    conflicts: 'plugin-host',
    replaces: 'plugin-host',
    description: `plugin host with a page in the system's browser\n ${[
      'Runs plugins, chats, agents and workflows on this machine, behind one API',
      'that listens on 127.0.0.1 only. This package includes Node.js but not',
      'Electron: the host opens in the browser of the system.',
    ].join('\n ')}`,
  };
}
