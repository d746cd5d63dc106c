import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
const { devDependencies } = read('package.json') as { devDependencies: Record<string, string> };
const { packages } = read('package-lock.json') as {
  packages: Record<string, { version?: string; dev?: boolean }>;
};

/** Packages with known vulnerabilities, and the release that fixes each; null if there is none. */
const refused: [name: string, mendedFrom: string | null][] = [
  ['ip', null],
  ['extract-zip', null],
  ['ip-address', '10.3.1'],
];

/** The release lines that Electron supports: the newest three majors. */
const supportedElectron = '>=43';

it('no dependency, direct or not, has a known vulnerability that is not fixed', () => {
  const found = Object.entries(packages).flatMap(([path, { version = '0.0.0' }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const rule = refused.find(([one]) => one === name);
    if (!rule) return [];
    const isMended = rule[1] !== null && semver.gte(version, rule[1]);
    return isMended ? [] : [`${path}@${version}`];
  });
  expect(found).toEqual([]);
});

it('Electron is a release of a line that its makers support', () => {
  const { electron = '' } = devDependencies;
  expect(semver.valid(electron)).toBe(electron);
  expect(semver.satisfies(electron, supportedElectron)).toBe(true);
});

it('everything is pinned, so that the tested versions are shipped', () => {
  const all = read('package.json') as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const versions = Object.entries({ ...all.dependencies, ...all.devDependencies });
  expect(versions.filter(([, version]) => semver.valid(version) === null)).toEqual([]);
});
