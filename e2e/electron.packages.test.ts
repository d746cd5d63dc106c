import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { extractAll } from '@electron/asar';
import { flipFuses, FuseV1Options } from '@electron/fuses';
import { makePackage } from '../scripts/package.ts';
import {
  buildElectron,
  electronBudget,
  type ElectronBuild,
  electronLocales,
} from '../scripts/packages/electron.ts';
import { appName, desktopEntry, metainfo } from '../scripts/packages/product.ts';
import { fuses, setFuses, wrongFuses } from '../scripts/packages/fuses.ts';
import { createClient } from '../service/client/index.ts';
import { api, hostVersion } from '../service/contract/index.ts';
import { deliveredFuses, standInElectron, windowsModules } from './electron-stand-in.ts';
import { packsTypeScript } from './packaged-kit.ts';
import { run } from './run.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'electron-packages-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (...path: string[]): string => join(folder, ...path);

describe('the fuses of the packaged Electron', () => {
  it('prevent running it as Node, with options, a debugger or other code', () => {
    const { RunAsNode, OnlyLoadAppFromAsar, EnableEmbeddedAsarIntegrityValidation } = FuseV1Options;
    expect(fuses).toMatchObject({
      strictlyRequireAllFuses: true,
      [RunAsNode]: false,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
      [FuseV1Options.EnableNodeCliInspectArguments]: false,
      [OnlyLoadAppFromAsar]: true,
      [EnableEmbeddedAsarIntegrityValidation]: true,
      [FuseV1Options.EnableCookieEncryption]: true,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    });
    const all = Object.values(FuseV1Options).filter((one) => typeof one === 'number');
    expect(all.filter((one) => !(one in fuses))).toEqual([]);
  });

  it('are set in the binary, and read back from it', async () => {
    const binary = at('binary');
    writeFileSync(binary, deliveredFuses);
    expect(await wrongFuses(binary)).toContain('RunAsNode');
    await setFuses(binary);
    expect(await wrongFuses(binary)).toEqual([]);
    expect(readFileSync(binary).subarray(-9).toString()).toBe('010011001');
    await flipFuses(binary, { version: fuses.version, [FuseV1Options.RunAsNode]: true });
    expect(await wrongFuses(binary)).toEqual(['RunAsNode']);
  });

  it('are set in the app of macOS, whose binary lies inside, and which is signed after that', async () => {
    const signed = at('signed');
    mkdirSync(at('programs'));
    const script = `#!/bin/sh\ngrep -c 010011001 "$6/Contents/Frameworks/"*/* >'${signed}'\n`;
    writeFileSync(at('programs', 'codesign'), script, { mode: 0o755 });
    vi.stubEnv('PATH', `${at('programs')}:${process.env['PATH'] ?? ''}`);
    const framework = at('Some.app', 'Contents', 'Frameworks', 'Electron Framework.framework');
    mkdirSync(framework, { recursive: true });
    writeFileSync(join(framework, 'Electron Framework'), deliveredFuses);
    await setFuses(at('Some.app'));
    vi.unstubAllEnvs();
    expect(await wrongFuses(at('Some.app'))).toEqual([]);
    expect(readFileSync(signed, 'utf8')).toBe('1\n');
  });

  it('stop the build where the binary has none, or one that is not known', async () => {
    const binary = at('other');
    writeFileSync(binary, 'no Electron');
    await expect(setFuses(binary)).rejects.toThrow('has no fuses: it is no Electron.');
    const longer = Buffer.from(deliveredFuses);
    longer[33] = 10;
    writeFileSync(binary, Buffer.concat([longer, Buffer.from('1')]));
    await expect(setFuses(binary)).rejects.toThrow();
  });
});

/** Starts a packaged program without a window and a display, calls a plugin, and stops it. */
async function answersCall(program: string, args: string[]): Promise<void> {
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
  const all = [...args, '--headless', '--port=0', '--setup=SQLITE'];
  const child = spawn(program, all, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit') as Promise<[number | null]>;
  try {
    let output = '';
    child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString('utf8')));
    await expect.poll(() => output).toMatch(/HOST_TOKEN=\S+\n/);
    const baseUrl = `http://127.0.0.1:${/HOST_PORT=(\d+)/.exec(output)?.[1] ?? ''}`;
    const token = /HOST_TOKEN=(\S+)/.exec(output)?.[1] ?? '';
    const client = createClient({ baseUrl, token: () => token });
    const body = { method: 'minify', params: { text: '{ "a": 1.0 }' }, callId: 'of-the-package' };
    const params = { id: 'host.json-tools' };
    const answer = await client.call(api.plugins.invoke, { params, body });
    expect(JSON.stringify(answer)).toContain(String.raw`{\"a\":1.0}`);
  } finally {
    child.kill('SIGTERM');
  }
  expect((await gone)[0]).toBe(0);
}

interface Made {
  file: string;
  /** Unpacked content of the package; the program itself is an archive in it. */
  tree: string;
  program: string[];
  bom: { components: { 'bom-ref': string }[] };
}

/** Builds a package around the stand-in and unpacks it. */
async function make(kind: ElectronBuild): Promise<Made> {
  const platform = kind === 'win-zip' ? 'win32' : 'linux';
  vi.stubEnv('GITHUB_REPOSITORY', 'acme/host');
  // As set by a CI workflow without these secrets.
  for (const name of ['CSC_LINK', 'CSC_KEY_PASSWORD', 'WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'])
    vi.stubEnv(name, '');
  const { file, bom } = await buildElectron(kind, {
    output: at('output'),
    electronDist: standInElectron(at(`electron-${kind}`), platform),
    compression: 'store',
    ...(kind === 'win-zip' ? { windowsModules: windowsModules(at('windows')) } : {}),
  });
  // electron-builder would treat an empty one as the path of its working directory.
  expect(Object.keys(process.env).filter((name) => name.includes('CSC_'))).toEqual([]);
  vi.unstubAllEnvs();
  const unpacked = at(`unpacked-${kind}`);
  const unpack: [string, string[]] =
    kind === 'deb'
      ? ['dpkg-deb', ['--extract', file, unpacked]]
      : ['7za', ['x', '-bd', `-o${unpacked}`, file]];
  expect(run(...unpack)).toMatchObject({ code: 0 });
  const tree = kind === 'deb' ? join(unpacked, 'opt', 'Plugin Host') : unpacked;
  const program = inArchive(join(tree, 'resources', 'app.asar'));
  return { file, tree, program, bom: JSON.parse(readFileSync(bom, 'utf8')) as Made['bom'] };
}

interface Entry {
  files?: Record<string, Entry>;
}

/** Returns the paths in an asar archive, whose JSON header follows four lengths. */
function inArchive(file: string): string[] {
  const bytes = readFileSync(file);
  const header = bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12));
  const walk = ({ files = {} }: Entry, above: string): string[] =>
    Object.entries(files).flatMap(([name, entry]) =>
      entry.files ? walk(entry, `${above}${name}/`) : [above + name],
    );
  return walk(JSON.parse(header) as Entry, '').sort();
}

const kitEntry = 'resources/app.asar.unpacked/dist/kit/bin/plugin-host-plugin.mjs';

const inside = (tree: string): string[] =>
  readdirSync(tree, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(tree, path)).isFile(),
  );

describe.each<ElectronBuild>(['zip', 'deb', 'win-zip'])('the %s with Electron', (kind) => {
  const isWindows = kind === 'win-zip';
  let made: Made;
  beforeAll(async () => {
    made = await make(kind);
  });

  it('holds the program, its native files beside the archive, and the Node of the workers', () => {
    for (const path of [
      'package.json',
      'dist/main/index.mjs',
      'dist/preload/index.cjs',
      'dist/renderer-shell/index.html',
      'node_modules/sqlite3/build/Release/node_sqlite3.node',
      'node_modules/tinypool/dist/entry/worker.js',
    ])
      expect(made.program).toContain(path);
    const beside = 'resources/app.asar.unpacked/node_modules';
    const native = readFileSync(join(made.tree, beside, 'sqlite3/build/Release/node_sqlite3.node'));
    expect(native.toString('latin1', 0, 4)).toBe(isWindows ? 'MZ s' : '\x7fELF');
    const node = join(made.tree, 'resources', 'node', isWindows ? 'node.exe' : 'node');
    expect(existsSync(node)).toBe(true);
    expect(existsSync(join(made.tree, kitEntry))).toBe(true);
    expect(made.program.some((path) => path.startsWith('node_modules/koffi/'))).toBe(isWindows);
    const pressing = 'node_modules/@jitsi/robotjs/';
    const files = [
      'LICENSE.md',
      'index.js',
      'package.json',
      'prebuilds/win32-x64/@jitsi+robotjs.node',
    ];
    const pressed = made.program.filter((path) => path.startsWith(pressing));
    expect(pressed).toEqual(isWindows ? files.map((file) => pressing + file) : []);
    expect(existsSync(join(made.tree, beside, '@jitsi', 'robotjs', files[3] ?? ''))).toBe(
      isWindows,
    );
    if (!isWindows) expect(run(node, ['--version']).stdout).toBe(`${process.version}\n`);
  });

  it('holds neither sources, tests nor maps, and stays small', () => {
    // Templates of the plugin kit contain sources and tests of plugins.
    const all = [...made.program, ...inside(made.tree)];
    const own = all.filter((path) => !/(?:^|\/)dist\/kit\//.test(path));
    const wrong = own.filter((path) =>
      /\.(map|tsx?|mts|cts|java|c|cc|hh?|gyp|o|a|tsbuildinfo)$|\.test\.|(^|\/)(tests?|cache|types)\//.test(
        path,
      ),
    );
    expect(wrong).toEqual([]);
    const programFiles = globSync('resources/app.asar{,.unpacked/**}', { cwd: made.tree });
    const sizes = programFiles.map((path) => statSync(join(made.tree, path)).size);
    expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThan(electronBudget.program);
    const locales = readdirSync(join(made.tree, 'locales')).sort();
    expect(locales).toEqual(electronLocales.map((locale) => `${locale}.pak`).sort());
  });

  it('starts by a program whose fuses are set', async () => {
    const program = join(made.tree, isWindows ? 'plugin-host.exe' : 'plugin-host');
    expect(await wrongFuses(program)).toEqual([]);
  });

  it('reports its kind, and lists its contents with their licenses', () => {
    const archive = readFileSync(join(made.tree, 'resources', 'app.asar'), 'utf8');
    expect(archive).toContain(`"packagedAs": "${kind}"`);
    expect(made.file).toContain(kind === 'deb' ? `_${hostVersion}_` : `-${hostVersion}-`);
    const refs = made.bom.components.map((one) => one['bom-ref']);
    expect(refs).toContain(`node@${process.versions.node}`);
    const names = refs.map((ref) => ref.slice(0, ref.lastIndexOf('@')));
    for (const name of ['electron', 'sqlite3', 'react']) expect(names).toContain(name);
    expect(names).not.toContain('electron-builder');
    for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES'])
      expect(readFileSync(join(made.tree, 'resources', name), 'utf8')).toBe(
        readFileSync(name, 'utf8'),
      );
    expect(inside(made.tree)).toContain('LICENSE.electron.txt');
  });

  it('contains the address of updates and the updater', () => {
    const releases = 'https://github.com/acme/host/releases/latest/download/';
    const archive = readFileSync(join(made.tree, 'resources', 'app.asar'), 'utf8');
    expect(archive).toContain(`"releases": "${releases}"`);
    const swap = join(made.tree, 'resources', 'app.asar.unpacked', 'dist/main/swap-update.mjs');
    const script = run(process.execPath, [swap, at('no-plan.json')]);
    expect(script.stderr).toContain('no-plan.json');
    if (kind !== 'deb') return;
    const resources = join(made.tree, 'resources');
    expect(readFileSync(join(resources, 'package-type'), 'utf8')).toBe('deb');
    expect(readFileSync(join(resources, 'app-update.yml'), 'utf8')).toContain(`url: ${releases}`);
    const news = readFileSync(at('output', 'latest-linux.yml'), 'utf8');
    expect(news).toMatch(new RegExp(`^version: ${hostVersion.replaceAll('.', '\\.')}$`, 'm'));
    expect(news).toContain(`url: ${basename(made.file)}`);
    const hash = createHash('sha512').update(readFileSync(made.file)).digest('base64');
    expect(news).toContain(`sha512: ${hash}`);
  });

  if (isWindows)
    it('contains all of the library that calls the Windows kernel', () => {
      const modules = at('koffi', 'node_modules');
      const beside = join(made.tree, 'resources', 'app.asar.unpacked', 'node_modules', 'koffi');
      mkdirSync(join(modules, '@koromix'), { recursive: true });
      cpSync(beside, join(modules, 'koffi'), { recursive: true });
      // The native part for this system replaces the one for Windows.
      const own = `@koromix/koffi-${process.platform}-${process.arch}`;
      cpSync(join('node_modules', own), join(modules, own), { recursive: true });
      const script = `import('koffi').then((koffi) => console.log(typeof koffi.load))`;
      const loaded = run('sh', [
        '-c',
        `cd '${at('koffi')}' && '${process.execPath}' -e "${script}"`,
      ]);
      expect(loaded).toEqual({ code: 0, stdout: 'function\n', stderr: '' });
    });

  if (!isWindows)
    it('starts without a window on its own Node, as root and without a display, and answers a call of a plugin', async () => {
      const launcher = join(made.tree, 'bin', 'plugin-host');
      await answersCall(launcher, [`--work-dir=${at(`work-${kind}`)}`]);
    });

  if (!isWindows)
    it('brings the plugin kit, which makes a plugin and packs it', () => {
      const launcher = join(made.tree, 'bin', 'plugin-host');
      const plugin = at(`made-plugin-${kind}`);
      const init = run(launcher, ['--kit', 'init', plugin, '--id=com.example.made']);
      expect(init.code, init.stderr).toBe(0);
      const packed = run(launcher, ['--kit', 'pack', plugin]);
      expect(packed.stdout).toContain('com.example.made-0.1.0.plugin');
    });

  if (!isWindows)
    it('packs plugins in TypeScript and packages of npm with that kit, without a network', async () => {
      mkdirSync(at(`typed-${kind}`));
      await packsTypeScript(join(made.tree, 'bin', 'plugin-host'), at(`typed-${kind}`));
    });

  if (isWindows)
    it('brings the bundler of the plugin kit for Windows alone', () => {
      const modules = join(made.tree, 'resources', 'app.asar.unpacked', 'node_modules');
      expect(existsSync(join(modules, 'rolldown', 'dist', 'index.mjs'))).toBe(true);
      const own = join('binding-win32-x64-msvc', 'rolldown-binding.win32-x64-msvc.node');
      const bindings = globSync('binding-*/*.node', { cwd: join(modules, '@rolldown') });
      expect(bindings).toEqual([own]);
    });

  if (isWindows)
    it('contains a command that runs the plugin kit in the console, from existing files', () => {
      const text = readFileSync(join(made.tree, 'bin', 'plugin-host.cmd'), 'latin1');
      // A batch file with LF line endings does not find its labels.
      expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      const named = [...text.matchAll(/"%home%\\([^"]+)"/g)].map(([, path = '']) => path);
      expect(named).toHaveLength(3);
      for (const path of named)
        expect(existsSync(join(made.tree, path.replaceAll('\\', '/'))), path).toBe(true);
      expect(
        run(process.execPath, [join(made.tree, kitEntry), '--kit', '--version']),
      ).toMatchObject({ code: 0, stdout: `${hostVersion}\n` });
    });

  if (kind === 'zip')
    it('has a complete program in its archive that starts on the Node beside it when extracted', async () => {
      const extracted = at('extracted');
      extractAll(join(made.tree, 'resources', 'app.asar'), extracted);
      const node = join(made.tree, 'resources', 'node', 'node');
      const entry = join(extracted, 'dist', 'main', 'index.mjs');
      await answersCall(node, [entry, `--work-dir=${at('work-extracted')}`]);
    });

  if (kind === 'zip')
    it('brings a profile for AppArmor, and the line that installs it is the one in the documents', () => {
      const line = /^ *sed (.*) apparmor-profile \| sudo tee \S+apparmor\.d\S+/m.exec(
        readFileSync('docs/packages.md', 'utf8'),
      );
      const filled = run('sh', [
        '-c',
        `cd '${made.tree}' && sed ${line?.[1] ?? ''} apparmor-profile`,
      ]);
      expect(filled).toMatchObject({ code: 0, stderr: '' });
      const rules = filled.stdout.split('\n').filter((text) => !text.startsWith('#'));
      expect(rules.join('\n')).toContain(
        `profile plugin-host-zip "${join(made.tree, 'plugin-host')}" flags=(unconfined) {\n  userns,`,
      );
      expect(existsSync(join(made.tree, 'plugin-host'))).toBe(true);
      expect(rules.join('\n')).not.toContain('@FOLDER@');
    });

  if (kind === 'deb')
    it('has an entry in the menu, icons, and no person as its maintainer', () => {
      const unpacked = at('unpacked-deb');
      const file = join(unpacked, 'usr/share/applications', desktopEntry);
      const entry = readFileSync(file, 'utf8');
      expect(entry).toMatch(/^Exec="\/opt\/Plugin Host\/plugin-host" .*%U$/m);
      expect(entry).toMatch(/^MimeType=.*application\/vnd\.plugin-host\.plugin\+zip;/m);
      expect(entry).toMatch(/^MimeType=.*x-scheme-handler\/plugin-host;/m);
      const types = readFileSync(join(unpacked, 'usr/share/mime/packages/plugin-host.xml'), 'utf8');
      expect(types).toContain('<glob pattern="*.plugin"/>');
      expect(
        existsSync(join(unpacked, 'usr/share/icons/hicolor/256x256/apps/plugin-host.png')),
      ).toBe(true);
      const fields = run('dpkg-deb', ['--field', made.file]).stdout;
      expect(fields).toMatch(/^Version: 4\.\d+\.\d+/m);
      expect(fields).toMatch(/^Maintainer: Plugin Host maintainers <\S+\.invalid>$/m);
      expect(fields).toMatch(/^Conflicts: plugin-host-lite$/m);
      // The C library that the tests ran on, or an older one, as the files need it.
      const [, libc = ''] = /^Depends: libc6 \(>= (2\.\d+)\), libasound2t64/m.exec(fields) ?? [];
      expect(run('dpkg', ['--compare-versions', libc, 'ge', '2.28']).code).toBe(0);
      const listed = run('dpkg-deb', ['--contents', made.file]).stdout.trim().split('\n');
      expect(listed.filter((line) => !/^\S+ root\/root /.test(line))).toEqual([]);
    });

  if (kind === 'deb')
    it('has one name for the entry in the menu, software centers and its windows', () => {
      const unpacked = at('unpacked-deb');
      const entry = join(unpacked, 'usr/share/applications', desktopEntry);
      expect(readFileSync(entry, 'utf8')).toMatch(new RegExp(`^StartupWMClass=${appName}$`, 'm'));
      const entries = readdirSync(join(unpacked, 'usr/share/applications'));
      expect(entries).toEqual(['org.pluginhost.PluginHost.desktop']);
      // Electron derives the window class from this name.
      const archive = readFileSync(join(made.tree, 'resources', 'app.asar'), 'utf8');
      expect(archive).toContain(`"desktopName": "${desktopEntry}"`);
      const description = readFileSync(join(unpacked, 'usr/share/metainfo', metainfo), 'utf8');
      expect(description).toContain(`<id>${appName}</id>`);
      expect(description).toContain(`<launchable type="desktop-id">${desktopEntry}</launchable>`);
    });

  if (kind === 'deb')
    it('passes the validators of software centers, menus and Debian', () => {
      const share = at('unpacked-deb', 'usr', 'share');
      const judges: [string, string[]][] = [
        ['desktop-file-validate', [join(share, 'applications', desktopEntry)]],
        ['appstreamcli', ['validate', '--no-net', join(share, 'metainfo', metainfo)]],
        ['lintian', ['--no-cfg', '--allow-root', '--fail-on', 'error', made.file]],
      ];
      for (const [program, args] of judges) {
        const { code, stdout, stderr } = run(program, args);
        expect([program, code, code === 0 ? '' : stdout + stderr]).toEqual([program, 0, '']);
      }
    });
});

describe('the rpm with Electron', () => {
  let file: string;
  const root = (): string => at('rpm-root');
  const rpm = (...args: string[]) => run('rpm', ['--root', root(), ...args]);
  const query = (...args: string[]) =>
    run('rpm', ['-qp', ...args, file])
      .stdout.trim()
      .split('\n');
  beforeAll(async () => {
    const electronDist = standInElectron(at('electron-rpm'), 'linux');
    // Without an update server the package does not record how it was installed.
    vi.stubEnv('GITHUB_REPOSITORY', 'acme/host');
    ({ file } = await buildElectron('rpm', {
      output: at('output'),
      electronDist,
      compression: 'store',
    }));
    vi.unstubAllEnvs();
  });

  it('names itself, its dependencies and what it replaces', () => {
    const fields = '%{NAME} %{VERSION} %{PACKAGER}\n';
    expect(query('--queryformat', fields)).toEqual([
      `plugin-host ${hostVersion.replace('-', '~')} Plugin Host maintainers <maintainers@plugin-host.invalid>`,
    ]);
    expect(query('--requires')).toContain('libXtst.so.6()(64bit)');
    expect(query('--requires')).not.toContain('libffmpeg.so()(64bit)');
    expect(query('--recommends')).toContain('bubblewrap');
    expect(query('--conflicts')).toEqual(['plugin-host-lite']);
    const owners = query('--queryformat', '[%{FILEUSERNAME}:%{FILEGROUPNAME}\n]');
    expect([...new Set(owners)]).toEqual(['root:root']);
  });

  it('installs the program with its entry in the menu, and leaves nothing when it is removed', () => {
    mkdirSync(root());
    // Scripts and dependencies need a complete system.
    const installed = rpm('--install', '--nodeps', '--noscripts', file);
    expect(installed.code, installed.stderr).toBe(0);
    expect(rpm('--verify', '--nodeps', '--noscripts', 'plugin-host').stdout).toBe('');
    const program = join(root(), 'opt', 'Plugin Host');
    expect(readFileSync(join(program, 'resources', 'package-type'), 'utf8')).toBe('rpm');
    expect(run(join(program, 'bin', 'plugin-host'), ['--version']).stdout).toBe(`${hostVersion}\n`);
    const share = join(root(), 'usr', 'share');
    for (const path of [
      join('applications', desktopEntry),
      join('metainfo', metainfo),
      'mime/packages/plugin-host.xml',
      'licenses/plugin-host/LICENSE',
    ])
      expect(existsSync(join(share, path)), path).toBe(true);
    expect(rpm('--erase', '--noscripts', 'plugin-host')).toMatchObject({ code: 0 });
    // Compiled code, which the scripts delete.
    const remaining = inside(program).filter((path) => !path.includes('/dist/main/cache/'));
    expect(remaining).toEqual([]);
    expect(inside(share)).toEqual([]);
  });

  it('runs the scripts of the deb, which end where a newer version is installed', () => {
    const scripts = query('--scripts').join('\n');
    expect(scripts).toContain('ln -sf "$home/bin/plugin-host" \'/usr/bin/plugin-host\'');
    const removal = scripts.slice(scripts.indexOf('postuninstall scriptlet'));
    expect(removal).toMatch(/abort-upgrade \| 1\) exit 0/);
    expect(removal).toContain("rm -rf '/opt/Plugin Host'");
    expect(scripts).not.toMatch(/\$\{(?:executable|sanitized)/);
  });
});

describe('npm run package', () => {
  /** Runs the packager; returns its messages for people. */
  async function runMakePackage(args: string[]): Promise<{ code: number; stderr: string }> {
    const script = `import('./scripts/package.ts').then(async (m) => (process.exitCode = await m.makePackage(${JSON.stringify(args)}, ${JSON.stringify(at('refused'))})))`;
    const { code, stderr } = run(process.execPath, ['-e', script]);
    return { code: code ?? -1, stderr: stderr };
  }

  it('refuses a Windows package without the native files of Windows, and says how to get them', async () => {
    const none = await runMakePackage(['win-zip']);
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(
      /^sqlite3 for Windows is missing \(sqlite3\/build\/Release\/node_sqlite3\.node\)\. Run npm ci on Windows, .*--win-modules=<folder>/,
    );
    const wrong = windowsModules(at('wrong'));
    const native = join(wrong, 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
    writeFileSync(native, '\x7fELF');
    const other = await runMakePackage(['win-zip', `--win-modules=${wrong}`]);
    expect(other).toMatchObject({ code: 1 });
    expect(other.stderr).toContain(`${native} is not for Windows.`);
    expect(existsSync(at('refused'))).toBe(false);
  });

  it('refuses unknown arguments', async () => {
    for (const args of [[], ['snap'], ['zip', 'deb'], ['zip', '--electron']]) {
      const { code, stderr } = await runMakePackage(args);
      expect(code).toBe(1);
      expect(stderr).toContain(
        'Usage: npm run package -- <lite|deb|zip|appimage|rpm|win-zip|win-setup|mac-zip>',
      );
    }
  });

  it('without an Electron says at once how one is named', async () => {
    vi.stubEnv('ELECTRON_MIRROR', 'http://127.0.0.1:9/');
    vi.stubEnv('electron_config_cache', at('no-cache'));
    const [native, other] = await Promise.all([
      runMakePackage(['zip']),
      runMakePackage(['win-zip', `--win-modules=${windowsModules(at('named'))}`]),
    ]);
    vi.unstubAllEnvs();
    expect([native.code, other.code]).toEqual([1, 1]);
    expect(native.stderr).toMatch(
      /^Electron \S+ could not be fetched: .*--electron-dist=<folder or zip>\.$/m,
    );
    expect(other.stderr).toMatch(
      /^Electron \S+ for win32 is not on this machine\. .*--electron-dist=/,
    );
  });

  it('reports a binary that is not Electron', async () => {
    const dist = standInElectron(at('no-electron'), 'linux');
    writeFileSync(join(dist, 'electron'), 'something else');
    const code = await makePackage(['zip', `--electron-dist=${dist}`], at('refused'));
    expect(code).toBe(1);
    expect(globSync('*.zip', { cwd: at('refused') })).toEqual([]);
  });
});
