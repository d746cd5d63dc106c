import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { h2Version } from './database/h2/h2-runtime.ts';
import { findJava, javaVersionOf } from './find-java.ts';
import { checkMachine, type MissingPiece } from './machine-check.ts';
import { textOf } from '../messages/index.ts';

const before = { PATH: process.env['PATH'], JAVA_HOME: process.env['JAVA_HOME'] };
let folder: string;
let jar: string;

/** A machine with the programs in `folder/bin` and nothing else. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'machine-'));
  jar = join(folder, 'h2.jar');
  await mkdir(join(folder, 'bin'));
  process.env['PATH'] = join(folder, 'bin');
  delete process.env['JAVA_HOME'];
});
afterEach(async () => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await rm(folder, { recursive: true });
});

async function installPrograms(...programs: string[]): Promise<void> {
  for (const name of programs) {
    const file = join(folder, 'bin', name);
    await writeFile(file, '#!/bin/sh\n');
    await chmod(file, 0o755);
  }
}

const release = (version: string): Promise<void> =>
  writeFile(join(folder, 'release'), `IMPLEMENTOR="x"\nJAVA_VERSION="${version}"\n`);

const check = (usesH2 = false): Promise<MissingPiece[]> =>
  checkMachine({ h2Paths: { jarProperty: jar, bridgeDirectory: null }, usesH2 });
const whats = (missing: MissingPiece[]): string[] => missing.map(({ what }) => textOf(what));

describe('what a machine lacks', () => {
  it('is everything on a bare machine, each with a reason and advice', async () => {
    const missing = await check();
    const sandbox = process.platform === 'linux' ? ['bubblewrap (bwrap)'] : [];
    expect(whats(missing)).toEqual([
      'Java 17 or newer',
      `H2 library ${h2Version}`,
      'git',
      ...sandbox,
      'Chromium',
    ]);
    for (const { why, fix } of missing) {
      expect(textOf(why)).toMatch(/^[A-Z].* without .*\.$/);
      expect(textOf(fix)).toMatch(
        existsSync('/etc/debian_version') ? /^apt-get install [a-z0-9-]+$/ : /^[A-Z].*\.$/,
      );
    }
  });

  it('is nothing if everything is installed', async () => {
    await installPrograms('java', 'git', 'bwrap', 'chromium');
    await writeFile(jar, '');
    expect(await check(true)).toEqual([]);
  });

  it.each(['chromium-browser', 'google-chrome', 'google-chrome-stable'])(
    'is no browser where there is %s',
    async (name) => {
      await installPrograms(name);
      expect(whats(await check())).not.toContain('Chromium');
    },
  );

  it('is needed now, or only for optional features', async () => {
    const needed = async (usesH2: boolean): Promise<string[]> =>
      whats((await check(usesH2)).filter((piece) => piece.needed));
    expect(await needed(false)).toEqual(['Java 17 or newer']);
    expect(await needed(true)).toEqual(['Java 17 or newer', `H2 library ${h2Version}`]);
  });

  it('includes Java if the installed version is too old', async () => {
    await installPrograms('java');
    for (const old of ['16.0.2', '11.0.1', '1.8.0_392']) {
      await release(old);
      expect(whats(await check())).toContain('Java 17 or newer');
    }
    for (const young of ['17', '17.0.9', '21.0.1', '25-ea']) {
      await release(young);
      expect(whats(await check())).not.toContain('Java 17 or newer');
    }
  });
});

describe('the version of a Java runtime', () => {
  it('is read from the file "release", otherwise unknown', async () => {
    await installPrograms('java');
    const java = (await findJava()) ?? '';
    expect(java).toBe(join(folder, 'bin', 'java'));
    expect(await javaVersionOf(java)).toBeNull();
    await release('21.0.4');
    expect(await javaVersionOf(java)).toBe(21);
    await release('1.8.0_392');
    expect(await javaVersionOf(java)).toBe(8);
    await writeFile(join(folder, 'release'), 'JAVA_VERSION=unknown');
    expect(await javaVersionOf(java)).toBeNull();
    expect(await javaVersionOf(join(folder, 'nowhere', 'java'))).toBeNull();
  });
});
