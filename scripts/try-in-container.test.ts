import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, 'try-in-container.sh');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'try-in-container-'));
  const program = join(folder, 'program');
  for (const path of ['plugin-host', 'libffmpeg.so', 'resources/node/node', 'icon.png'])
    putFile(join(program, path), '#!/bin/sh\necho "node $2 $3" >>"$LOG"\n');
  for (const name of ['apt-get', 'dnf', 'useradd', 'runuser'])
    putFile(join(folder, 'bin', name), `#!/bin/sh\necho "${name} $*" >>"$LOG"\n`);
  putFile(join(folder, 'bin', 'ldd'), '#!/bin/sh\necho "ldd ${1##*/}" >>"$LOG"\necho "$FOUND"\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

function putFile(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text, { mode: 0o755 });
}

function tryPackage(name: string, found = 'libc.so.6 => /lib/libc.so.6') {
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const { status, stderr } = spawnSync('sh', [script, name, join(folder, 'program')], {
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, LOG: log, FOUND: found },
  });
  const calls = readFileSync(log, 'utf8').trim().split('\n');
  return { status, stderr, calls: calls.map((call) => call.replaceAll(folder, '')) };
}

describe.skipIf(process.platform === 'win32')('a package in a container', () => {
  it.each([
    ['./a.deb', 'apt-get install -qq -y --no-install-recommends ./a.deb', 'apt-get'],
    ['./a.rpm', 'dnf install -q -y --setopt=install_weak_deps=False ./a.rpm', 'dnf'],
  ])(
    '%s is installed, its libraries are looked for, and it starts twice',
    (name, install, tool) => {
      const { status, stderr, calls } = tryPackage(name);
      expect([status, stderr]).toEqual([0, '']);
      const installed = calls.indexOf(install);
      expect(installed).toBeGreaterThanOrEqual(0);
      expect(calls.filter((call) => call.startsWith('ldd ')).sort()).toEqual([
        'ldd libffmpeg.so',
        'ldd node',
        'ldd plugin-host',
      ]);
      const headless = calls.indexOf('node plugin-host --headless');
      const display = calls.findIndex((call) => call.startsWith(tool) && /xvfb/i.test(call));
      const checked = calls.findLastIndex((call) => call.startsWith('ldd '));
      expect([installed < checked, checked < headless, headless < display]).toEqual([
        true,
        true,
        true,
      ]);
      expect(calls.at(-1)).toMatch(/^runuser -u person -- xvfb-run -a .*\/program\/plugin-host$/);
    },
  );

  it('fails where a library is missing, and names the file that needs it', () => {
    const { status, stderr, calls } = tryPackage('./a.deb', 'libX11.so.6 => not found');
    expect(status).toBe(1);
    expect(stderr).toContain('Missing on a plain system:');
    expect(calls.join()).not.toContain('--headless');
  });

  it('takes nothing but a deb and an rpm', () => {
    expect(tryPackage('./a.zip')).toMatchObject({ status: 2 });
  });
});
