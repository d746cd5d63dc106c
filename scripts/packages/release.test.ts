import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRelease } from '../../service/features/updates/release.ts';
import { manifest } from './product.ts';
import { updateChannel, writeRelease } from './release.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  file = join(folder, 'plugin-host-win-x64.zip');
  writeFileSync(file, 'a package');
});
afterEach(() => rmSync(folder, { recursive: true }));

const target = { build: 'win-zip', arch: 'x64' } as const;
const pem = (type: 'ed25519' | 'ed448'): string => {
  const { privateKey } = type === 'ed25519' ? generateKeyPairSync(type) : generateKeyPairSync(type);
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
};

describe('the description of a package', () => {
  it('says what it is, and is what a program takes', () => {
    const to = writeRelease(file, target, {});
    expect(to).toBe(join(folder, 'update-win-zip-x64.json'));
    const release = readRelease(readFileSync(to), { ...target, key: null });
    expect(release).toEqual({
      product: 'plugin-host',
      build: 'win-zip',
      arch: 'x64',
      version: manifest.version,
      file: 'plugin-host-win-x64.zip',
      sizeBytes: 9,
      sha256: 'c0cd5ccfdb563a59366e33e73001b78fdb8cca5a6c48e2f90fffcde44b81f1f6',
    });
  });

  it('is signed with the key of the makers, which the package is made with', () => {
    const environment = { UPDATE_SIGNING_KEY: pem('ed25519'), GITHUB_REPOSITORY: 'acme/host' };
    const { key, releases } = updateChannel(environment);
    expect(releases).toBe('https://github.com/acme/host/releases/latest/download/');
    const body = readFileSync(writeRelease(file, target, environment));
    expect(readRelease(body, { ...target, key }).signature).toMatch(/^[\w+/]{86}==$/);
    const { key: other } = updateChannel({ UPDATE_SIGNING_KEY: pem('ed25519') });
    expect(() => readRelease(body, { ...target, key: other })).toThrow(/signature/);
  });

  it('is not made with a key of another kind', () => {
    const environment = { UPDATE_SIGNING_KEY: pem('ed448') };
    expect(() => writeRelease(file, target, environment)).toThrow(/no Ed25519 key/);
  });

  it('names no place and no key where the environment has none', () => {
    expect(updateChannel({})).toEqual({ releases: null, key: null });
  });
});
