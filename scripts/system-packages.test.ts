import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let empty = '';
beforeAll(() => {
  empty = mkdtempSync(join(tmpdir(), 'no-programs-'));
});
afterAll(() => rmSync(empty, { recursive: true }));

/** Asks on a machine where no program is found, and so nothing can be installed either. */
function ask(wanted: 'prepareStart' | 'prepareTests', environment: Record<string, string> = {}) {
  const script = `import('./system-packages.ts').then((m) => console.log(JSON.stringify(m.${wanted}())))`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
    cwd: import.meta.dirname,
    env: { PATH: empty, ...environment },
    encoding: 'utf8',
  });
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('Installing '));
  return { status, stdout: stdout.trim(), lines };
}

const missingJava =
  'javac (a JDK, 17 or newer) was not found: the Java sample plugin is left out. Install it (Debian, Ubuntu: apt-get install default-jdk-headless).';
const missingChromium =
  'Chromium was not found: the page tests cannot run. Install it (Debian, Ubuntu: apt-get install chromium).';
// Looked for at a fixed place as well.
const hasChromium = existsSync('/usr/bin/chromium');

describe('what npm cannot bring', () => {
  it('is named in a sentence that says what does not work and how to get it', () => {
    expect(ask('prepareStart')).toEqual({ status: 0, stdout: '["java"]', lines: [missingJava] });
  });

  it('is asked for as far as it is needed: Chromium for the tests alone', () => {
    expect(ask('prepareTests')).toEqual({
      status: 0,
      stdout: hasChromium ? '["java"]' : '["java","chromium"]',
      lines: hasChromium ? [missingJava] : [missingJava, missingChromium],
    });
  });

  it('is a failure where nobody watches', () => {
    expect(ask('prepareStart', { CI: 'true' })).toEqual({
      status: 1,
      stdout: '',
      lines: [missingJava],
    });
  });
});
