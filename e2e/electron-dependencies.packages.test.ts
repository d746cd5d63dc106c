import { existsSync, globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { run } from './run.ts';

interface Configuration {
  deb: { depends: string[] };
  rpm: { depends: string[] };
  appImage: { executableArgs: string[] };
}

const config = parse(readFileSync('electron-builder.yml', 'utf8')) as Configuration;

/** Electron's own files are not here, so the system's Chromium stands for what such a program is linked with. */
const chromiums = ['/usr/lib/chromium/chromium', '/opt/google/chrome/chrome'];

/** Libraries that Debian's Chromium links with and that Chromium's own builds, such as Electron, contain. */
const bundledLibraries =
  /^lib(?:openh264|z|double-conversion|zstd|jpeg|freetype|fontconfig|harfbuzz|harfbuzz-subset|pulse|FLAC|opus|XNVCtrl|dav1d|minizip|openjp2|lcms2)\.so/;
/** Parts of the C library, whose version is read from the files of a package. */
const ofLibc = /^(?:lib(?:c|m|dl|rt|pthread)\.so|ld-linux)/;

/** Libraries that are loaded by name, so the linker does not list them: GTK, the keyring, notifications, keys for other windows. */
const loadedByName = ['libgtk-3.so.0', 'libsecret-1.so.0', 'libnotify.so.4', 'libXtst.so.6'];

function needed(file: string): string[] {
  const { code, stdout, stderr } = run('objdump', ['--private-headers', file]);
  expect(code, stderr).toBe(0);
  return [...stdout.matchAll(/^ +NEEDED +(\S+)$/gm)].map(([, name = '']) => name);
}

/** The native files of the program that are not Electron's. */
const ownFiles = (): string[] => [
  ...globSync('node_modules/node-linux-*/bin/node'),
  ...globSync('node_modules/sqlite3/build/Release/node_sqlite3.node'),
  ...globSync('node_modules/@rolldown/binding-linux-*-gnu/*.node'),
];

describe('what the packages with Electron depend on', () => {
  let libraries: string[] = [];
  beforeAll(() => {
    const chromium = chromiums.find((path) => existsSync(path));
    const files = [...ownFiles(), ...(chromium === undefined ? [] : [chromium])];
    expect(files.length).toBeGreaterThan(2);
    libraries = [...new Set(files.flatMap(needed))].filter(
      (name) => !bundledLibraries.test(name) && !ofLibc.test(name),
    );
  });

  it('is, of the deb, the Debian package of each library that such a program is linked with', () => {
    const names = config.deb.depends.flatMap((line) => line.split('|').map((name) => name.trim()));
    const patterns = libraries.map((library) => `*/${library}`);
    const { stdout } = run('dpkg-query', ['--search', ...patterns]);
    const owners = [...stdout.matchAll(/^([^:\s]+)(?::\w+)?: .*\/(\S+)$/gm)];
    for (const library of libraries) {
      const packages = owners.filter(([, , file]) => file === library).map(([, name = '']) => name);
      const found = packages.some((name) => names.includes(name));
      expect(found, `${library} of ${packages.join(', ')}`).toBe(true);
    }
    for (const library of ['libgtk-3-0', 'libsecret-1-0', 'libnotify4', 'libxtst6', 'xdg-utils'])
      expect(names).toContain(library);
  });

  it('is, of the rpm, each of these libraries by its own name', () => {
    for (const library of [...libraries, ...loadedByName])
      expect(config.rpm.depends).toContain(`${library}()(64bit)`);
  });

  it('is to be had from the distribution, in one of its names', () => {
    const all = config.deb.depends.map((line) => line.split('|').map((name) => name.trim()));
    const { stdout } = run('apt-cache', ['policy', ...all.flat()]);
    const found = [...stdout.matchAll(/^(\S+):\n.*\n {2}Candidate: (?!\(none\))/gm)];
    const names = found.map(([, name = '']) => name);
    for (const choices of all)
      expect(
        choices.some((name) => names.includes(name)),
        choices.join(),
      ).toBe(true);
  });
});

it('the menu entry of the AppImage leaves the sandbox on', () => {
  expect(config.appImage.executableArgs).toEqual([]);
});
