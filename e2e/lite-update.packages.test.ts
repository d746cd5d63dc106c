import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMachine, type Machine } from './installed-lite.ts';
import { type CommandResult, run } from './run.ts';
import { canMount, onTmpfs } from './on-tmpfs.ts';

let machine: Machine;
let folder = '';
beforeEach(() => {
  machine = createMachine({ alone: true });
  folder = join(machine.home, 'updates');
  mkdirSync(folder);
  machine.giveToUser(folder);
});
afterEach(() => machine.cleanUp());

interface Made {
  name?: string;
  scripts?: Record<string, string>;
}

const put = (path: string, text: string, mode = 0o644): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
};

/** Builds a package with only the updater, and a file that contains its version. */
function makeDeb(version: string, { name = 'plugin-host-lite', scripts = {} }: Made = {}): string {
  const tree = join(machine.home, `tree-${version}`);
  const home = join(tree, 'usr/lib/plugin-host');
  put(join(home, 'version'), version);
  put(join(home, 'update'), readFileSync('packaging/lite/update', 'utf8'), 0o755);
  const fields = [`Package: ${name}`, `Version: ${version}`, 'Architecture: all'];
  const more = ['Maintainer: Nobody <nobody@example.invalid>', 'Description: for a test', ''];
  put(join(tree, 'DEBIAN/control'), [...fields, ...more].join('\n'));
  for (const script of ['prerm', 'postrm'])
    put(join(tree, 'DEBIAN', script), readFileSync(`packaging/lite/${script}`, 'utf8'), 0o755);
  for (const [script, text] of Object.entries(scripts))
    put(join(tree, 'DEBIAN', script), `#!/bin/sh\n${text}\n`, 0o755);
  const file = join(folder, `an update's ${version}.deb`);
  expect(run('dpkg-deb', ['--root-owner-group', '--build', tree, file])).toMatchObject({ code: 0 });
  return file;
}

const sumOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');
const update = (...args: string[]): CommandResult =>
  run(join(machine.root, 'usr/lib/plugin-host/update'), args);
const stateFolder = (): string => join(machine.root, 'var/lib/plugin-host-lite');

/** Returns the installed version; checks that dpkg and the files agree and are complete. */
function installed(): string {
  const version = readFileSync(join(machine.root, 'usr/lib/plugin-host/version'), 'utf8');
  const admin = `--admindir=${join(machine.root, 'var/lib/dpkg')}`;
  const status = run('dpkg-query', [admin, '-W', '-f', '${Status} ${Version}', 'plugin-host-lite']);
  expect(status.stdout).toBe(`install ok installed ${version}`);
  return version;
}

/** Files that nothing would delete later. */
const leftovers = (): string[] =>
  readdirSync(stateFolder()).filter((name) => /^(new\.deb|tree|said|.*\.part)$/.test(name));

const install = (version: string): void => {
  expect(machine.dpkg('--install', makeDeb(version))).toMatchObject({ code: 0 });
};

it('an update that is what was promised is installed, and the version from before is kept as a package', () => {
  install('1.0.0');
  const file = makeDeb('1.1.0~beta.1');
  expect(update(file, sumOf(file))).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('1.1.0-beta.1 is installed. Nobody looked') as string,
  });
  expect(installed()).toBe('1.1.0~beta.1');
  expect(leftovers()).toEqual([]);
  expect(statSync(stateFolder()).mode & 0o777).toBe(0o700);
  expect(machine.dpkg('--install', join(stateFolder(), 'previous.deb'))).toMatchObject({ code: 0 });
  expect(installed()).toBe('1.0.0');
  const program = statSync(join(machine.root, 'usr/lib/plugin-host/update'));
  expect(program.mode & 0o777).toBe(0o755);
});

it('a file that was changed after its checksum was taken is refused before anything is replaced', () => {
  install('1.0.0');
  const file = makeDeb('1.1.0');
  const sum = sumOf(file);
  copyFileSync(makeDeb('1.2.0'), file);
  expect(update(file, sum)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('The update was changed or removed') as string,
  });
  expect(installed()).toBe('1.0.0');
  expect(readdirSync(folder).filter((name) => !name.endsWith('.deb'))).toEqual([]);
  expect(leftovers()).toEqual([]);
});

it('what is installed is a copy of root’s own, whatever becomes of the file meanwhile', () => {
  install('1.0.0');
  const file = makeDeb('1.1.0', { scripts: { preinst: `rm -f "$(cat '${folder}/which')"` } });
  writeFileSync(join(folder, 'which'), file);
  expect(update(file, sumOf(file))).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(false);
  expect(installed()).toBe('1.1.0');
});

it.each([
  ['another package', '1.1.0', { name: 'sudo' }, 3],
  ['the same version', '1.0.0', {}, 1],
  ['an older version', '0.9.0', {}, 1],
])('%s is refused', (_what, version, made, code) => {
  install('1.0.0');
  const file = makeDeb(version, made);
  expect(update(file, sumOf(file))).toMatchObject({ code });
  expect(installed()).toBe('1.0.0');
});

it.runIf(canMount).each([
  ['the update', '4k', 'There is not enough space for the update'],
  ['the version from before', '20k', 'No copy of 1.0.0 could be kept for a rollback'],
])('a disk without room for %s is told before anything is replaced', (_what, size, why) => {
  install('1.0.0');
  const file = makeDeb('1.1.0');
  mkdirSync(stateFolder(), { recursive: true });
  const program = join(machine.root, 'usr/lib/plugin-host/update');
  const [unshare = '', ...args] = onTmpfs(stateFolder(), `size=${size}`);
  expect(run(unshare, [...args, program, file, sumOf(file)])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(why) as string,
  });
  expect(installed()).toBe('1.0.0');
});

it.each([
  ['preinst', 'exit 7'],
  ['postinst', 'exit 7'],
  ['postinst', 'kill -KILL $$'],
])('an update whose %s fails (%s) leaves the version from before, and says why', (script, text) => {
  install('1.0.0');
  const file = makeDeb('1.1.0', { scripts: { [script]: text } });
  const { code, stdout, stderr } = update(file, sumOf(file), '--then=open');
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'open\n' });
  expect(stderr).toContain('The update to 1.1.0 was rolled back: it could not be installed (error');
  expect(installed()).toBe('1.0.0');
  const rollback = JSON.parse(readFileSync(join(folder, 'taken-back.json'), 'utf8')) as object;
  const why = /^it could not be installed \(error processing archive|package /;
  expect(rollback).toEqual({ version: '1.1.0', why: expect.stringMatching(why) as string });
  expect(leftovers()).toEqual([]);
});

it('an update whose own scripts stand in the way of going back is gone back from all the same', () => {
  install('1.0.0');
  const scripts = { postinst: 'exit 7', prerm: 'exit 8', postrm: 'exit 9' };
  const file = makeDeb('1.1.0', { scripts });
  expect(update(file, sumOf(file))).toMatchObject({ code: 1 });
  expect(installed()).toBe('1.0.0');
});

it('a file that is no package is refused, also under its own checksum', () => {
  install('1.0.0');
  const file = join(folder, 'text.deb');
  writeFileSync(file, 'no package');
  expect(update(file, sumOf(file))).toMatchObject({ code: 3 });
  expect(installed()).toBe('1.0.0');
});

it.each<[string, string[]]>([
  ['nothing', []],
  ['a relative path', ['x.deb', '0'.repeat(64)]],
  ['an option in place of a path', ['--purge', '0'.repeat(64)]],
  ['a checksum that is none', ['/tmp/x.deb', '$(id)']],
  ['a checksum that is too short', ['/tmp/x.deb', '0'.repeat(63)]],
  ['another option', ['/tmp/x.deb', '0'.repeat(64), '--force-all']],
  ['a try away from the data', ['/tmp/x.deb', '0'.repeat(64), '--then=try']],
  ['more than there is', ['/tmp/x.deb', '0'.repeat(64), '--then=wait', 'more']],
  ['a folder that is not there', ['/tmp/none/at/all/x.deb', '0'.repeat(64)]],
])('%s is no way to ask for it', (_what, args) => {
  install('1.0.0');
  expect(update(...args)).toMatchObject({ code: 2, stdout: '' });
  expect(installed()).toBe('1.0.0');
});

it('nobody has the package of somebody else installed by the word of an administrator', () => {
  install('1.0.0');
  const file = makeDeb('1.1.0');
  const program = join(machine.root, 'usr/lib/plugin-host/update');
  expect(run(program, [file, sumOf(file)], { ...process.env, PKEXEC_UID: '1' })).toMatchObject({
    code: 2,
    stderr: 'The folder belongs to another user.\n',
  });
  expect(installed()).toBe('1.0.0');
});

it('two at once are not', () => {
  install('1.0.0');
  const file = makeDeb('1.1.0');
  mkdirSync(stateFolder(), { recursive: true });
  const lock = join(stateFolder(), 'lock');
  const program = join(machine.root, 'usr/lib/plugin-host/update');
  expect(run('flock', [lock, program, file, sumOf(file)])).toMatchObject({
    code: 1,
    stderr: 'Another update is in progress.\n',
  });
  expect(installed()).toBe('1.0.0');
});

it('a link in the folder of the user is replaced, not followed', () => {
  install('1.0.0');
  const elsewhere = join(machine.home, 'elsewhere');
  writeFileSync(elsewhere, 'precious');
  symlinkSync(elsewhere, join(folder, 'taken-back.json'));
  const file = makeDeb('1.1.0', { scripts: { postinst: 'exit 7' } });
  expect(update(file, sumOf(file))).toMatchObject({ code: 1 });
  expect(readFileSync(elsewhere, 'utf8')).toBe('precious');
});

it('the version from before goes with the package', () => {
  install('1.0.0');
  const file = makeDeb('1.1.0');
  expect(update(file, sumOf(file))).toMatchObject({ code: 0 });
  expect(machine.dpkg('--remove', 'plugin-host-lite')).toMatchObject({ code: 0 });
  expect(existsSync(stateFolder())).toBe(false);
});
