import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundledPackages } from './packages/bundled-packages.ts';
import { shippedPackages } from './packages/app-files.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, '..', name), 'utf8');
const notices = read('THIRD-PARTY-NOTICES');
const titled = (name: string): RegExp =>
  new RegExp(`^${name.replaceAll(/[.*+?^$(){}|[\]\\]/g, String.raw`\$&`)} \\d\\S* \\(`, 'm');

it('the notices name every package that is in a bundle or lies beside it', () => {
  const bundled = bundledPackages().map((folder) => folder.replace(/^.*node_modules\//, ''));
  expect(bundled.length).toBeGreaterThan(200);
  const beside = (['linux', 'win32'] as const).flatMap((platform) =>
    Object.keys(shippedPackages({ platform, arch: 'x64' })),
  );
  const missing = [...bundled, ...beside].filter((name) => !titled(name).test(notices));
  expect(missing).toEqual([]);
});

it('the notices name nothing that no package ships', () => {
  for (const name of ['vitest', 'eslint', 'electron-builder', 'typescript', 'axe-core', 'ai'])
    expect(notices).not.toMatch(titled(name));
});

it('the notices have the words of the licences, also of what is inside of packages', () => {
  for (const name of ['Node.js', 'Electron', 'SQLite', 'tree-sitter', 'tree-sitter-powershell'])
    expect(notices).toMatch(new RegExp(`^${name}[ ,]`, 'm'));
  for (const holder of ['Node.js contributors', 'TJ Holowaychuk', 'Meta Platforms', 'Mapbox'])
    expect(notices).toContain(holder);
  expect(notices).not.toMatch(/undefined|NOASSERTION/);
});

it('the licence says what package.json says', () => {
  const { license } = JSON.parse(read('package.json')) as { license: string };
  expect(read('LICENSE')).toContain(`package.json says ${license}`);
  expect(read('LICENSE')).toContain('the authors of Plugin Host');
});
