import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder = '';
let empty = '';
/** A PATH with all programs. */
let full = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'programs-'));
  empty = join(folder, 'empty');
  full = join(folder, 'full');
  for (const path of [empty, full]) mkdirSync(path);
  writeFileSync(join(full, 'which'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(full, 'fc-list'), '#!/bin/sh\necho a font\n', { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Asked {
  task: 'prepareStart' | 'prepareTests';
  path?: string;
  environment?: Record<string, string>;
}

/**
 * Runs a check on a machine that has only the programs of that path and cannot install packages.
 */
function ask({ task, path = empty, environment = {} }: Asked) {
  const script = `import('./system-packages.ts').then((m) => console.log(JSON.stringify(m.${task}())))`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
    cwd: import.meta.dirname,
    env: { PATH: path, HOST_H2_JAR: join(path, 'h2.jar'), ...environment },
    encoding: 'utf8',
  });
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('Installing '));
  return { status, missing: stdout.trim(), lines };
}

const java =
  'javac (a JDK, 17 or newer) was not found: the Java sample plugin is left out. Install it (Debian, Ubuntu: apt-get install default-jdk-headless).';
const h2 =
  'The H2 library was not found: the H2 database cannot be chosen. Install it (Debian, Ubuntu: apt-get install libh2-java).';
const chromium =
  'Chromium was not found: the page tests cannot run. Install it (Debian, Ubuntu: apt-get install chromium).';
const chineseFont =
  'A font with Chinese letters was not found: Chinese pages are drawn and measured with boxes in place of letters. Install it (Debian, Ubuntu: apt-get install fontconfig fonts-droid-fallback).';
const display =
  'What tests and benches of the screen are made with (Xvfb, openbox, xterm, xev, xclip, scrot) was not found: the tests of the computer tools cannot run. Install it (Debian, Ubuntu: apt-get install xvfb openbox xterm x11-utils xclip scrot).';
const servers =
  'MariaDB or PostgreSQL was not found: the tests with these servers cannot run. Install it (Debian, Ubuntu: apt-get install mariadb-server-core mariadb-client-core postgresql).';
const sandbox =
  'bubblewrap was not found: plugin workers run without a sandbox, and the tests of it cannot run. Install it (Debian, Ubuntu: apt-get install bubblewrap).';
const git =
  'git was not found: plugins cannot be installed from git repositories, and the tests of it cannot run. Install it (Debian, Ubuntu: apt-get install git).';
const ssh =
  'OpenSSH with its server (ssh, sshd) was not found: the tests that reach a host through a tunnel cannot run. Install it (Debian, Ubuntu: apt-get install openssh-client openssh-server).';
const packaging =
  'What packages are made and checked with (dpkg-deb, strip, 7za, lintian, appstreamcli, desktop-file-validate, systemd-analyze, rpm, rpmbuild) was not found: packages cannot be made, and the tests of them cannot run. Install it (Debian, Ubuntu: apt-get install dpkg binutils p7zip-full lintian appstream desktop-file-utils systemd rpm).';

const isLinux = process.platform === 'linux';

describe('what npm cannot bring', () => {
  it('is named in a sentence that says what does not work and how to get it', () => {
    const asked = ask({ task: 'prepareStart' });
    expect(asked).toEqual({
      status: 0,
      missing: JSON.stringify(['java', 'h2', ...(isLinux ? ['sandbox'] : []), 'git']),
      lines: [java, h2, ...(isLinux ? [sandbox] : []), git],
    });
  });

  it('is required as far as the task needs it: for the tests also what they drive', () => {
    const expected: [string, string][] = [
      ['java', java],
      ['h2', h2],
      ['chromium', chromium],
      ['chineseFont', chineseFont],
      ['display', display],
      ['servers', servers],
      ['sandbox', sandbox],
      ['git', git],
      ['ssh', ssh],
      ['packaging', packaging],
    ];
    // Chromium is also looked for at a fixed path, and the sandbox exists on Linux only.
    const missing = expected.filter(
      ([name]) =>
        !(name === 'chromium' && existsSync('/usr/bin/chromium')) &&
        !(
          ['sandbox', 'display', 'chineseFont', 'ssh'].includes(name) &&
          process.platform !== 'linux'
        ),
    );
    expect(ask({ task: 'prepareTests' })).toEqual({
      status: 0,
      missing: JSON.stringify(missing.map(([name]) => name)),
      lines: missing.map(([, line]) => line),
    });
  });

  it('is a failure in CI', () => {
    const asked = ask({ task: 'prepareStart', environment: { CI: 'true' } });
    const lines = [java, h2, ...(isLinux ? [sandbox] : []), git];
    expect(asked).toEqual({ status: 1, missing: '', lines });
  });

  it('is not requested if it is installed', () => {
    const jar = join(full, 'which');
    const asked = ask({ task: 'prepareTests', path: full, environment: { HOST_H2_JAR: jar } });
    expect(asked).toEqual({ status: 0, missing: '[]', lines: [] });
  });

  it('is the H2 library that HOST_H2_JAR names, if set', () => {
    const asked = ask({ task: 'prepareStart', path: full });
    expect(asked).toEqual({ status: 0, missing: '["h2"]', lines: [h2] });
  });
});
