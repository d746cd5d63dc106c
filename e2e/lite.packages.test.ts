import type { ChildProcess } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { external } from '../scripts/build.ts';
import { shippedPackages } from '../scripts/packages/app-files.ts';
import { buildLiteDeb, type LiteDeb, liteBudget } from '../scripts/packages/lite-deb.ts';
import { writeChecksums } from '../scripts/packages/checksums.ts';
import { createClient } from '../service/client/index.ts';
import { api, hostVersion } from '../service/contract/index.ts';
import { startUpdateServer } from '../service/testing/update-server.ts';
import { argumentsOf, createMachine, type Machine } from './installed-lite.ts';
import { packsTypeScript } from './packaged-kit.ts';
import { run } from './run.ts';
import { exchange, otherVersion, ticketOf } from './lite-versions.ts';

const repository = join(import.meta.dirname, '..');
let folder = '';
let tree = '';
let made: LiteDeb;
let machine: Machine;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'packages-'));
  tree = join(folder, 'tree');
  made = buildLiteDeb({ output: folder, level: 1 });
  expect(run('dpkg-deb', ['--extract', made.file, tree])).toMatchObject({ code: 0 });
  machine = createMachine();
});
afterAll(() => {
  machine?.cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

/** Relative paths of everything in the package, including folders. */
const paths = (): string[] => readdirSync(tree, { recursive: true, encoding: 'utf8' }).sort();
const files = (): string[] => paths().filter((path) => statSync(join(tree, path)).isFile());
const read = (path: string): string => readFileSync(join(tree, path), 'utf8');
const field = (name: string, deb = made.file): string =>
  run('dpkg-deb', ['--field', deb, name]).stdout.trim();

describe('the lite package', () => {
  it('holds what runs, and neither sources, tests, maps nor caches', () => {
    // Templates of the plugin kit contain sources and tests of plugins.
    const own = files().filter((path) => !path.includes('/app/dist/kit/'));
    const wrong = own.filter((path) =>
      /\.(map|tsx?|mts|cts|java|c|cc|h|gyp|o|a|tsbuildinfo)$|\.test\.|(^|\/)(tests?|cache|types)\//.test(
        path,
      ),
    );
    expect(wrong).toEqual([]);
    const app = 'usr/lib/plugin-host/app';
    for (const path of [
      'usr/bin/plugin-host',
      'usr/lib/plugin-host/bin/node',
      'usr/lib/plugin-host/update',
      'usr/lib/systemd/user/plugin-host.service',
      'usr/share/applications/org.pluginhost.PluginHost.desktop',
      'usr/share/doc/plugin-host-lite/changelog.gz',
      'usr/share/doc/plugin-host-lite/copyright',
      'usr/share/doc/plugin-host-lite/examples/plugin-host-system.service',
      'usr/share/metainfo/org.pluginhost.PluginHost.metainfo.xml',
      'usr/share/doc/plugin-host-lite/sbom.cdx.json.gz',
      'usr/share/icons/hicolor/256x256/apps/plugin-host.png',
      'usr/share/icons/hicolor/scalable/apps/plugin-host.svg',
      'usr/share/man/man1/plugin-host.1.gz',
      'usr/share/mime/packages/plugin-host.xml',
      'usr/share/polkit-1/actions/plugin-host.policy',
      `${app}/dist/main/index.mjs`,
      `${app}/dist/kit/bin/plugin-host-plugin.mjs`,
      `${app}/dist/kit/templates/java/backend/src/plugin/Main.java`,
      `${app}/dist/renderer-shell/index.html`,
      `${app}/dist/plugin-client/plugin-client.js`,
      `${app}/node_modules/sqlite3/build/Release/node_sqlite3.node`,
      `${app}/node_modules/tinypool/dist/entry/worker.js`,
    ])
      expect(files()).toContain(path);
    const inApp = readdirSync(join(tree, app)).sort();
    expect(inApp).toEqual(['dist', 'node_modules', 'package.json']);
    expect(JSON.parse(read(`${app}/package.json`))).toMatchObject({
      version: hostVersion,
      packagedAs: 'lite-deb',
    });
  });

  it('brings the plugin kit, which makes and packs a plugin', () => {
    const made = join(tree, '..', 'made-plugin');
    const kit = (...args: string[]): string =>
      run(join(tree, 'usr/bin/plugin-host'), ['--kit', ...args]).stdout;
    expect(kit('--version').trim()).toBe(hostVersion);
    kit('init', made);
    expect(kit('pack', made)).toContain('com.example.made-plugin-0.1.0.plugin');
    rmSync(made, { recursive: true });
  });

  it('packs plugins in TypeScript and packages of npm with that kit, without a network', async () => {
    const work = mkdtempSync(join(folder, 'typed-'));
    await packsTypeScript(join(tree, 'usr/bin/plugin-host'), work);
  });

  it('is smaller than 80 MB, and takes less than 180 MB', () => {
    expect(statSync(made.file).size).toBeLessThan(liteBudget.packed);
    const sizes = files().map((path) => statSync(join(tree, path)).size);
    expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThan(liteBudget.installed);
    expect(Number(field('Installed-Size')) * 1_024).toBeLessThan(liteBudget.installed);
  });

  it('belongs to root, with plain modes and no folder of the machine that made it', () => {
    const listed = run('dpkg-deb', ['--contents', made.file]).stdout.trim().split('\n');
    const shapes = listed.map((line) => line.split(/\s+/).slice(0, 2).join(' '));
    expect([...new Set(shapes)].sort()).toEqual([
      '-rw-r--r-- root/root',
      '-rwxr-xr-x root/root',
      'drwxr-xr-x root/root',
    ]);
    const mentions = files().filter((path) =>
      readFileSync(join(tree, path)).includes(`${repository}/`),
    );
    expect(mentions).toEqual([]);
  });

  it('names what it needs, and itself by no person', () => {
    expect(field('Package')).toBe('plugin-host-lite');
    expect(field('Version')).toBe(hostVersion.replace('-', '~'));
    expect(field('Maintainer')).toMatch(/^Plugin Host maintainers <\S+\.invalid>$/);
    expect(field('Depends')).toMatch(/^libc6 \(>= 2\.\d+\), libgcc-s1, libstdc\+\+6/);
    expect(field('Recommends').split(', ')).toEqual(
      expect.arrayContaining(['xdg-utils', 'bubblewrap', 'libpangocairo-1.0-0']),
    );
    expect(run('dpkg', ['--compare-versions', field('Version'), 'lt', '4.0.0']).code).toBe(0);
  });

  it('has a checksum of each of its files', () => {
    const control = join(folder, 'control');
    run('dpkg-deb', ['--control', made.file, control]);
    const sums = readFileSync(join(control, 'md5sums'), 'utf8').trim().split('\n');
    expect(sums.map((line) => line.slice(34))).toEqual(files());
    writeFileSync(join(folder, 'md5sums'), `${sums.join('\n')}\n`);
    const checked = run('sh', ['-c', `cd '${tree}' && md5sum --quiet -c '${folder}/md5sums'`]);
    expect(checked).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('brings every package that the bundle asks for by name', () => {
    const builtin = new Set(builtinModules);
    const asked = external.filter((name) => !name.startsWith('node:') && !builtin.has(name));
    const shipped = shippedPackages({ platform: 'win32', arch: 'x64' });
    expect(asked.filter((name) => name !== 'electron' && !(name in shipped))).toEqual([]);
    const linux = Object.keys(shippedPackages({ platform: 'linux', arch: process.arch }));
    const modules = join(tree, 'usr/lib/plugin-host/app/node_modules');
    const inside = globSync('{[!@]*,@*/*}', { cwd: modules });
    expect(inside.sort()).toEqual(linux.sort());
    const script = `Promise.all(${JSON.stringify(linux)}.map((name) => import(name))).then((all) => console.log(all.length))`;
    const app = join(tree, 'usr/lib/plugin-host/app');
    const loaded = run('sh', ['-c', `cd '${app}' && ../bin/node --no-warnings -e '${script}'`]);
    expect(loaded).toEqual({ code: 0, stdout: `${linux.length}\n`, stderr: '' });
  });

  it('is the same to the last byte when it is made again', () => {
    const again = buildLiteDeb({ output: join(folder, 'again'), level: 1 });
    for (const one of ['file', 'bom'] as const)
      expect(readFileSync(again[one]).equals(readFileSync(made[one]))).toBe(true);
  });

  it('comes with a bill of materials and checksums of all that is handed out', () => {
    const bom = JSON.parse(readFileSync(made.bom, 'utf8')) as Bom;
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    expect(bom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    const refs = bom.components.map((one) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(refs).toContain(`node@${process.versions.node}`);
    const names = refs.map((ref) => ref.slice(0, ref.lastIndexOf('@')));
    for (const name of ['express', 'sqlite3', 'react', '@mantine/core', 'zod'])
      expect(names).toContain(name);
    const others = ['electron', 'electron-builder', 'koffi', '@jitsi/robotjs', 'tar'];
    for (const name of ['vitest', 'eslint', ...others]) expect(names).not.toContain(name);
    const linked = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    const existing = new Set([...refs, bom.metadata.component['bom-ref']]);
    expect(linked.filter((ref) => !existing.has(ref))).toEqual([]);
    const inside = gunzipSync(
      readFileSync(join(tree, 'usr/share/doc/plugin-host-lite/sbom.cdx.json.gz')),
    );
    expect(inside.equals(readFileSync(made.bom))).toBe(true);
    writeChecksums(folder);
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    expect(sums).toContain(`  ${basename(made.file)}\n`);
    expect(sums).toContain(`  ${basename(made.bom)}\n`);
    const checked = run('sh', ['-c', `cd '${folder}' && sha256sum --quiet -c SHA256SUMS`]);
    expect(checked).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('has the words of the licences of what is inside', () => {
    for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES'])
      expect(read(`usr/lib/plugin-host/${name}`)).toBe(readFileSync(name, 'utf8'));
    const copyright = read('usr/share/doc/plugin-host-lite/copyright');
    expect(copyright).toContain(readFileSync('LICENSE', 'utf8').trim());
    expect(copyright).toContain('/usr/lib/plugin-host/THIRD-PARTY-NOTICES');
  });

  it('is what software centres, menus and Debian take', () => {
    const judges: [string, string[], RegExp][] = [
      [
        'appstreamcli',
        [
          'validate',
          '--no-net',
          join(tree, 'usr/share/metainfo/org.pluginhost.PluginHost.metainfo.xml'),
        ],
        /successful/,
      ],
      [
        'desktop-file-validate',
        [join(tree, 'usr/share/applications/org.pluginhost.PluginHost.desktop')],
        /^$/,
      ],
      ['lintian', ['--no-cfg', '--allow-root', '--fail-on', 'error', made.file], /^(?!E:)/m],
    ];
    for (const [program, args, expected] of judges) {
      const { code, stdout } = run(program, args);
      expect([program, code]).toEqual([program, 0]);
      expect(stdout).toMatch(expected);
    }
  });
});

it.each([
  ['a user', 'usr/lib/systemd/user/plugin-host.service', ['--user']],
  ['a server', 'usr/share/doc/plugin-host-lite/examples/plugin-host-system.service', []],
])('the unit for %s is one that systemd takes', (_, path, scope) => {
  const installed = '/usr/bin/plugin-host';
  const text = read(path);
  expect(text).toContain(`ExecStart=${installed} `);
  const verify = (unit: string) => {
    const file = join(folder, 'plugin-host.service');
    writeFileSync(file, unit.replace(installed, join(tree, installed)));
    const env = { ...process.env, XDG_RUNTIME_DIR: folder };
    return run('systemd-analyze', [...scope, 'verify', '--man=no', file], env);
  };
  // It may report other units of the machine too.
  const errorLines = ({ stderr }: { stderr: string }) =>
    stderr.split('\n').filter((line) => line.includes('plugin-host.service'));
  const verified = verify(text);
  expect([verified.code, errorLines(verified)]).toEqual([0, []]);
  const broken = verify(text.replace('Restart=always', 'Restart=sometimes'));
  expect(errorLines(broken)).toEqual([expect.stringContaining('sometimes')]);
});

interface Bom {
  serialNumber: string;
  metadata: { component: { 'bom-ref': string } };
  components: { 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const packageOf = (version: string, reportToHost = false): string =>
  otherVersion({ deb: made.file, folder, version, reportToHost });

/** Returns a reader for the lines that a headless host prints. */
function valueReader(child: ChildProcess): (name: string) => Promise<string> {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (more: string) => (text += more));
  const find = (name: string): string => new RegExp(`^${name}=(.*)\\n`, 'm').exec(text)?.[1] ?? '';
  return async (name) => {
    await expect.poll(() => find(name)).not.toBe('');
    return find(name);
  };
}

async function clientOf(child: ChildProcess) {
  const value = valueReader(child);
  const [port, token] = [await value('HOST_PORT'), await value('HOST_TOKEN')];
  return createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => token });
}

const data = (): string => join(machine.home, '.local/share/plugin-host');

describe('the installed lite package', () => {
  it('serves a plain user without a window, with the data in a place of their own [LAUNCH-01]', async () => {
    expect(machine.dpkg('--install', packageOf('3.9.0'))).toMatchObject({ code: 0 });
    const host = machine.start(['--headless', '--port=0', '--setup=SQLITE']);
    const client = await clientOf(host);
    await client.call(api.settings.put, { body: { theme: 'dark' } });
    expect(existsSync(join(data(), '.host', 'database', 'host.db'))).toBe(true);
    const call = { callId: '1', method: 'format', params: { text: '[1]' } };
    const params = { id: 'host.json-tools' };
    expect(await client.call(api.plugins.invoke, { params, body: call })).toMatchObject({
      result: { text: '[\n  1\n]' },
    });
  });

  it('is upgraded with the data kept; the host that ran from the old files is ended', async () => {
    expect(machine.hosts()).toHaveLength(1);
    const upgraded = machine.dpkg('--install', made.file);
    expect(upgraded).toMatchObject({ code: 0 });
    expect(upgraded.stdout).toContain('Plugin Host was running and was ended.\n');
    expect(machine.hosts()).toEqual([]);
    const host = machine.start(['--headless', '--port=0']);
    const client = await clientOf(host);
    expect(await client.call(api.settings.get)).toMatchObject({ theme: 'dark' });
    host.kill('SIGTERM');
    await expect.poll(() => host.exitCode).toBe(0);
  });

  it('keeps what was compiled in a folder of the user alone', () => {
    const cache = join(machine.home, '.cache/plugin-host', hostVersion);
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(10);
  });

  it('opens the browser at a one-time address, and the next time that of the same host', async () => {
    expect(machine.launch(['--port=0'])).toEqual({ code: 0, stdout: '', stderr: '' });
    // The launcher does not wait for the browser.
    await expect.poll(() => machine.opened().length).toBe(1);
    const [first = ''] = machine.opened();
    const [host = 0, ...others] = machine.hosts();
    expect(others).toEqual([]);
    expect(machine.launch()).toEqual({ code: 0, stdout: '', stderr: '' });
    await expect.poll(() => machine.opened().length).toBe(2);
    const [, second = '', ...more] = machine.opened();
    expect(more).toEqual([]);
    expect(machine.hosts()).toEqual([host]);
    expect(new URL(second).origin).toBe(new URL(first).origin);
    expect(ticketOf(second)).not.toBe(ticketOf(first));
    const session = await exchange(second);
    expect(session.status).toBe(200);
    expect((await exchange(second)).status).toBe(410);
    const { token } = session;
    const client = createClient({ baseUrl: new URL(second).origin, token: () => token });
    expect(await client.call(api.settings.get)).toMatchObject({ theme: 'dark' });
    const everywhere = [first, second, argumentsOf(host).join(' ')].join(' ');
    expect(everywhere).not.toContain(token);
  });

  it('prints the address where no browser can be opened', async () => {
    const { code, stdout, stderr } = machine.launch([], {
      PATH: '/usr/bin:/bin',
      BROWSER: 'false',
    });
    expect(code).toBe(0);
    expect(stderr).toBe('No browser could be opened. Open this address in one, it works once:\n');
    expect((await exchange(stdout.trim())).status).toBe(200);
  });

  it('is what opens .plugin files, and installs none of them unseen', () => {
    const entry = read('usr/share/applications/org.pluginhost.PluginHost.desktop');
    const type = /^MimeType=(.*);$/m.exec(entry)?.[1];
    const types = read('usr/share/mime/packages/plugin-host.xml');
    expect(types).toContain(`<mime-type type="${type}">`);
    expect(types).toContain('<glob pattern="*.plugin"/>');
    expect(entry).toMatch(/^Exec=plugin-host %f$/m);
    const before = machine.opened().length;
    expect(machine.launch(['/some where/words-1.0.0.plugin'])).toEqual({
      code: 0,
      stdout: '',
      stderr:
        'To install words-1.0.0.plugin, choose it with "Install from file" on the Plugins page, or drop it there.\n',
    });
    expect(machine.opened()).toHaveLength(before + 1);
    const installed = readdirSync(join(data(), '.host', 'plugins'));
    expect(installed.filter((name) => name.includes('words-1'))).toEqual([]);
  });

  it('says why it cannot start, with the exit code of the host', () => {
    expect(machine.launch(['--work-dir=/proc/none'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/proc/none cannot be written.') as string,
    });
    expect(machine.launch(['--bad'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Unknown flag --bad. The README lists the flags.\n',
    });
    expect(machine.launch(['--headless'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        'A host is already running in this working directory',
      ) as string,
    });
  });

  it('answers --version, --help and --doctor', () => {
    expect(machine.launch(['--version']).stdout).toBe(`${hostVersion}\n`);
    expect(machine.launch(['--help']).stdout).toContain(
      'Usage: plugin-host [flags] [file.plugin]\n',
    );
    const { stdout } = machine.launch(['--doctor']);
    expect(stdout).toContain(`Folder     ${data()}\n`);
    expect(stdout).toContain(`Node       ${process.versions.node}\n`);
  });

  it('brings itself up to date over a host that runs: dpkg ends it, the launcher opens the new one, the data stay', async () => {
    const server = await startUpdateServer();
    try {
      expect(machine.launch().code).toBe(0);
      const url = machine.opened().at(-1) ?? '';
      const { token } = await exchange(url);
      const client = createClient({ baseUrl: new URL(url).origin, token: () => token });
      await client.call(api.settings.put, { body: { updateApiBase: server.base } });
      const deb = packageOf('99.1.0', true);
      const about = { build: 'lite-deb', file: basename(deb), version: '99.1.0' };
      server.offer(readFileSync(deb), about);
      const state = async () => (await client.call(api.updates.get)).state;
      await client.call(api.updates.check);
      await expect.poll(state, { timeout: 60_000 }).toBe('available');
      await client.call(api.updates.install);
      await expect.poll(state, { timeout: 60_000 }).toBe('ready');
      const [before, pages] = [machine.hosts(), machine.opened().length];
      // The host exits before it answers.
      void client.call(api.updates.restart).catch(() => undefined);
      const administrator = await machine.askedAsAdministrator();
      const [program, update = '', sum, then] = administrator.args;
      expect(program).toBe(join(machine.root, 'usr/lib/plugin-host/update'));
      expect(readFileSync(update).equals(readFileSync(deb))).toBe(true);
      expect([sum, then]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), '--then=open']);
      expect(await administrator.run()).toBe(0);
      await expect.poll(() => machine.opened().length, { timeout: 60_000 }).toBe(pages + 1);
      expect(machine.hosts().filter((pid) => before.includes(pid))).toEqual([]);
      const opened = machine.opened().at(-1) ?? '';
      const session = await exchange(opened);
      const next = createClient({ baseUrl: new URL(opened).origin, token: () => session.token });
      expect(await next.call(api.updates.get)).toMatchObject({ version: '99.1.0' });
      const settings = { theme: 'dark', updateApiBase: server.base };
      expect(await next.call(api.settings.get)).toMatchObject(settings);
    } finally {
      await server.close();
    }
  });

  it('is run by the unit of the user as that says', async () => {
    const [old = 0] = machine.hosts();
    process.kill(old, 'SIGTERM');
    await expect.poll(() => machine.hosts()).toEqual([]);
    const unit = read('usr/lib/systemd/user/plugin-host.service');
    expect(unit).toMatch(/^StandardOutput=null$/m);
    const [program, ...args] = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
    expect(files()).toContain(program?.slice(1));
    const value = valueReader(machine.start([...args, '--port=0']));
    expect((await exchange(await value('HOST_URL'))).status).toBe(200);
  });

  it('is removed with all of its files and its hosts, and purged without the data', () => {
    const removed = machine.dpkg('--remove', 'plugin-host-lite');
    expect(removed).toMatchObject({ code: 0 });
    expect(machine.hosts()).toEqual([]);
    const remaining = files().filter((path) => existsSync(join(machine.root, path)));
    expect(remaining).toEqual([]);
    expect(existsSync(join(machine.root, 'usr/lib/plugin-host'))).toBe(false);
    const purged = machine.dpkg('--purge', 'plugin-host-lite');
    expect(purged.stdout).toContain('The data of Plugin Host belong to its users and were kept');
    expect(existsSync(join(data(), '.host', 'database', 'host.db'))).toBe(true);
  });
});
