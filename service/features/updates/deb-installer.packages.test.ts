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
const release = { version: '99.1.0-beta.1' } as Release;

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

/** A program of that name on the PATH of the installer; what it is told is a line of `told`. */
const put = (name: string, more = ''): Promise<void> =>
  writeFile(
    join(programs, name),
    `#!/bin/sh\necho "${name} $*" >>'${join(folder, 'told')}'\n${more}\n`,
    { mode: 0o755 },
  );
const told = async (): Promise<string[]> =>
  (await readFile(join(folder, 'told'), 'utf8').catch(() => '')).trim().split('\n');

const installer = (options: Partial<DebInstallerOptions> = {}): DebInstaller =>
  new DebInstaller({
    facts: {
      restart: { program: join(programs, 'plugin-host'), args: ['--work-dir=/some where'] },
    },
    ...{ processes, path: programs, isUnit: false },
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
  it('is taken when it says itself what was promised', async () => {
    const file = await makeDeb('plugin-host-lite', '99.1.0~beta.1');
    await installer().stage(file, release, never);
  });

  it.each([
    ['plugin-host-lite', '3.9.0'],
    ['plugin-host-lite', '99.1.0'],
    ['sudo', '99.1.0~beta.1'],
  ])('that is %s %s in truth is refused', async (name, version) => {
    const file = await makeDeb(name, version);
    const staged = installer().stage(file, release, never);
    await expect(staged).rejects.toMatchObject({ code: 'invalid_release' });
  });

  it('that is none is refused', async () => {
    const file = join(folder, 'text.deb');
    await writeFile(file, 'no package');
    const staged = installer().stage(file, release, never);
    await expect(staged).rejects.toMatchObject({ code: 'invalid_release' });
  });

  it('is installed with the word of an administrator, and the launcher opens the new host', async () => {
    await put('dpkg');
    await put('plugin-host');
    await put('pkexec', 'exec "$@"');
    const file = join(folder, 'an update.deb');
    // The dpkg of the test ends no host.
    const restarted = installer().restart(file);
    await expect(restarted).rejects.toMatchObject({ code: 'update_installed' });
    expect(await told()).toEqual([
      `pkexec ${join(programs, 'dpkg')} -i ${file}`,
      `dpkg -i ${file}`,
      'plugin-host --work-dir=/some where',
    ]);
  });

  it('that nobody allows is not installed, and says what was said', async () => {
    await put('dpkg');
    await put('plugin-host');
    await put('pkexec', 'echo "Request dismissed" >&2; exit 126');
    await expect(installer().restart(join(folder, 'x.deb'))).rejects.toMatchObject({
      code: 'needs_administrator',
      message: expect.stringMatching(/Request dismissed.*sudo dpkg -i '.*x\.deb'$/) as string,
    });
    expect((await told()).filter((line) => !line.startsWith('pkexec'))).toEqual([]);
  });

  it.each<[string, Partial<DebInstallerOptions>, string[]]>([
    ['there is no pkexec', {}, ['dpkg']],
    ['systemd runs the host', { isUnit: true }, ['dpkg', 'pkexec']],
    ['nobody knows how it was started', { facts: { restart: null } }, ['dpkg', 'pkexec']],
  ])('is left to an administrator where %s', async (_where, options, names) => {
    for (const name of names) await put(name);
    const file = join(folder, "it's.deb");
    const left = installer(options);
    expect(left.command(file)).toBe(`sudo dpkg -i '${folder}/it'\\''s.deb'`);
    await expect(left.restart(file)).rejects.toMatchObject({ code: 'needs_administrator' });
    expect(await told()).toEqual(['']);
  });
});
