import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcesses, type Processes } from '../../platform/processes.ts';
import { DebInstaller, type DebInstallerOptions } from './deb-installer.ts';
import type { Release } from './release.ts';

const run = promisify(execFile);
const never = new AbortController().signal;
const sha256 = '9f'.repeat(32);
const release = { version: '99.1.0-beta.1', sha256 } as Release;

let folder = '';
let programs = '';
let processes: Processes;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deb-installer-'));
  programs = join(folder, 'programs');
  await mkdir(programs);
  processes = createProcesses();
  await symlink('/usr/bin/dpkg-deb', join(programs, 'dpkg-deb'));
});
afterEach(async () => {
  await processes.close();
  await rm(folder, { recursive: true, force: true });
});

/** Puts a fake program on the PATH of the installer; its arguments become a line of `told`. */
const put = (name: string, more = ''): Promise<void> =>
  writeFile(
    join(programs, name),
    `#!/bin/sh\necho "${name} $*" >>'${join(folder, 'told')}'\n${more}\n`,
    { mode: 0o755 },
  );
const recordedLines = async (): Promise<string[]> =>
  (await readFile(join(folder, 'told'), 'utf8').catch(() => '')).trim().split('\n');

const installer = (options: Partial<DebInstallerOptions> = {}): DebInstaller =>
  new DebInstaller({
    facts: {
      folder: join(programs, 'bin'),
      restart: { program: join(programs, 'plugin-host'), args: ['--work-dir=/some where'] },
    },
    processes,
    path: programs,
    isUnit: false,
    ...options,
  });

async function makeDeb(name: string, version: string): Promise<string> {
  const tree = join(folder, `tree-${name}-${version}`);
  await mkdir(join(tree, 'DEBIAN'), { recursive: true });
  const fields = [`Package: ${name}`, `Version: ${version}`, 'Architecture: all'];
  const more = ['Maintainer: Nobody <nobody@example.invalid>', 'Description: for a test', ''];
  await writeFile(join(tree, 'DEBIAN', 'control'), [...fields, ...more].join('\n'));
  const file = join(folder, `${name}.deb`);
  await run('dpkg-deb', ['--root-owner-group', '--build', tree, file]);
  return file;
}

describe('a lite package', () => {
  it('is accepted if it matches the release', async () => {
    const file = await makeDeb('plugin-host-lite', '99.1.0~beta.1');
    await installer().stage(file, release, never);
  });

  it.each([
    ['plugin-host-lite', '3.9.0'],
    ['plugin-host-lite', '99.1.0'],
    ['sudo', '99.1.0~beta.1'],
  ])('that is actually %s %s is refused', async (name, version) => {
    const file = await makeDeb(name, version);
    const staged = installer().stage(file, release, never);
    await expect(staged).rejects.toMatchObject({ code: 'invalid_release' });
  });

  it('that is not a package is refused', async () => {
    const file = join(folder, 'text.deb');
    await writeFile(file, 'no package');
    const staged = installer().stage(file, release, never);
    await expect(staged).rejects.toMatchObject({ code: 'invalid_release' });
  });

  it('is installed as an administrator by its own program, and is started when that is done', async () => {
    await put('update', 'echo open');
    await put('plugin-host');
    await put('pkexec', 'exec "$@"');
    const file = join(folder, 'an update.deb');
    // Updates in this test do not end the host.
    const restarted = installer().restart(file, release);
    await expect(restarted).rejects.toMatchObject({ code: 'update_installed' });
    expect(await recordedLines()).toEqual([
      `pkexec ${join(programs, 'update')} ${file} ${sha256} --then=open`,
      `update ${file} ${sha256} --then=open`,
      'plugin-host --work-dir=/some where',
    ]);
  });

  it('that cannot start reports why, and the previous version is started', async () => {
    const failed = `'${join(folder, 'failed')}'`;
    const wait = `for _ in $(seq 300); do [ ! -e ${failed} ] || break; sleep 0.1; done`;
    await put('update', `echo open; ${wait}; cat ${failed} >&2; rm ${failed}; echo open; exit 1`);
    await put('plugin-host', 'echo "No such thing." >&2; exit 3');
    await put('pkexec', 'exec "$@"');
    const restarted = installer().restart(join(folder, 'x.deb'), release);
    await expect(restarted).rejects.toMatchObject({
      code: 'needs_administrator',
      message: expect.stringContaining('The update was not installed (No such thing.)') as string,
    });
    const opened = (await recordedLines()).filter((line) => line.startsWith('plugin-host'));
    expect(opened).toHaveLength(2);
  });

  it('that no longer matches the release must be downloaded again', async () => {
    await put('update', 'exit 3');
    await put('plugin-host');
    await put('pkexec', 'exec "$@"');
    const restarted = installer().restart(join(folder, 'x.deb'), release);
    await expect(restarted).rejects.toMatchObject({ code: 'update_damaged' });
    expect((await recordedLines()).filter((line) => line.startsWith('plugin-host'))).toEqual([]);
  });

  it('that is not authorized is not installed, and the message is reported', async () => {
    await put('update');
    await put('plugin-host');
    await put('pkexec', 'echo "Request dismissed" >&2; exit 126');
    const file = join(folder, 'x.deb');
    await expect(installer().restart(file, release)).rejects.toMatchObject({
      code: 'needs_administrator',
      message: `The update was not installed (Request dismissed). Run this in a terminal: sudo '${join(programs, 'update')}' '${file}' ${sha256} --then=try`,
    });
    expect((await recordedLines()).filter((line) => !line.startsWith('pkexec'))).toEqual([]);
  });

  it.each<[string, Partial<DebInstallerOptions>, string[], string]>([
    ['there is no pkexec', {}, ['update'], ' --then=try'],
    ['systemd runs the host', { isUnit: true }, ['update', 'pkexec'], ' --then=wait'],
    [
      'nobody knows how it was started',
      { facts: { folder: '/usr/lib/plugin-host/bin', restart: null } },
      ['update', 'pkexec'],
      '',
    ],
  ])('is left to an administrator if %s', async (_where, options, names, then) => {
    for (const name of names) await put(name);
    const file = join(folder, "it's.deb");
    const otherInstaller = installer(options);
    const program = join(options.facts?.folder ?? join(programs, 'bin'), '..', 'update');
    const command = `sudo '${program}' '${folder}/it'\\''s.deb' ${sha256}${then}`;
    expect(otherInstaller.command(file, release)).toBe(command);
    await expect(otherInstaller.restart(file, release)).rejects.toMatchObject({
      code: 'needs_administrator',
      message: expect.stringContaining(command) as string,
    });
    expect(await recordedLines()).toEqual(['']);
  });
});
