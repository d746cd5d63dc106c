import { access, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inEnglish } from '../../../testing/in-english.ts';
import { HostError } from '../../../core/host-error.ts';
import { snapshot } from '../../../testing/package-trees.ts';
import { archiveFile } from '../../../testing/packages.ts';
import { freshPackage } from './fresh-plugin.ts';
import { readPackage, verifyPackage } from './package-archive.ts';
import { isReservedId } from './package-identity.ts';
import { PackageDirectory } from './package-layout.ts';

let root: string;
let staging: string;
let packages: PackageDirectory;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'package-cases-'));
  staging = join(root, 'staging');
  packages = new PackageDirectory(join(root, 'plugins'), staging);
  await mkdir(join(root, 'elsewhere'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function inspect(file: string): Promise<void> {
  await verifyPackage(await readPackage(file));
}

async function install(file: string): Promise<string> {
  const checked = await readPackage(file);
  return (await packages.replace(freshPackage(checked))).directory;
}

async function refusalOf(work: Promise<unknown>): Promise<HostError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HostError);
  return error as HostError;
}

const idProblem = 'must be lower case, dot-separated, each part starting with a letter or digit';
const refused: [name: string, path: string, message: string][] = [
  ['Z-02-dotdot', '../../z02-evil.txt', 'has the part ".." in its path'],
  ['Z-03-absolute', '/tmp/z03-evil.txt', 'is an absolute path'],
  ['Z-06-symlink-dir', 'ui/d', 'is a symbolic link; only files and directories are allowed'],
  ['Z-07-duplicate-manifest', 'manifest.json', 'exists twice'],
  ['Z-10-overlap', 'ui/big.bin', 'exists twice'],
  ['Z-13-junk-and-second-eocd', '', 'has extra bytes after its table of contents'],
  ['Z-14-encrypted-flag', 'manifest.json', 'is encrypted, which is not supported'],
  ['Z-15-truncated', '', 'is not a zip archive, or it is damaged or cut short'],
  ['Z-16-empty', '', 'is not a zip archive, or it is damaged or cut short'],
  ['Z-16-targz', '', 'is not a zip archive, or it is damaged or cut short'],
  ...[0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12].map((number): [string, string, string] => {
    return [`Z-19-id-${String(number).padStart(2, '0')}`, 'id', idProblem];
  }),
  ['Z-19-id-07', 'id', 'must be at most 128 characters long'],
  [
    'Z-22-case-collision',
    'ui/a.js',
    'differs from another name only in case or in how it is encoded',
  ],
  ['Z-24-special-modes', 'ui/fifo', 'is a named pipe; only files and directories are allowed'],
  ['Z-25-file-and-dir', 'ui', 'is both a file and a directory'],
  [
    'Z-27-crc',
    'backend/worker.jar',
    'is described differently in the table of contents and in its own header',
  ],
];

describe('the acceptance archives', () => {
  test('a valid package is installed, and a second time replaces the first', async () => {
    const file = archiveFile('Z-01-valid');
    const directory = await install(file);
    expect(directory).toBe(join(root, 'plugins', 'acme.demo'));
    const first = await snapshot(directory);
    expect(Object.keys(first).sort()).toEqual([
      'backend',
      'backend/worker.jar',
      'manifest.json',
      'ui',
      'ui/index.html',
    ]);
    await install(file);
    expect(await snapshot(directory)).toEqual(first);
    expect(await readdir(staging)).toEqual([]);
  });

  test.each(refused)('%s is refused and changes nothing', async (name, path, message) => {
    await install(archiveFile('Z-01-valid'));
    const before = await snapshot(root);
    const file = archiveFile(name);
    const startedMs = performance.now();

    const fromUpload = await refusalOf(install(file));
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    const fromInspect = await refusalOf(inspect(file));

    expect(fromUpload).toMatchObject({ kind: 'invalid', code: 'invalid_package' });
    expect(inEnglish(fromUpload.errors?.[0])).toEqual({ path, message });
    expect(fromInspect.message).toBe(fromUpload.message);
    expect(fromInspect.errors).toEqual(fromUpload.errors);
    expect(fromUpload.message).not.toContain(root);
    expect(await snapshot(root)).toEqual(before);
    expect(await readdir(staging)).toEqual([]);
  });

  test.each(['/tmp/z03-evil.txt', '/tmp/z06-evil.txt'])('%s is never written', async (path) => {
    await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('every archive of the suite has a row here', async () => {
    const names = await readdir(join(archiveFile('Z-01-valid'), '..'));
    const rows = ['Z-01-valid', ...refused.map(([name]) => name)];
    expect(names.sort()).toEqual(rows.map((name) => `${name}.plugin`).sort());
  });
});

describe('the namespace of the official plugins', () => {
  test.each([
    'host.files',
    'HOST.files',
    'Host.Files',
    'host.',
    'host',
    'host.files.',
    ' host.files',
    'ｈｏｓｔ.files',
    'host．files',
    'host。files',
    'ho\u200bst.files',
    'ho\u00adst.files',
    'ho\u017ft.files',
    '.host.files',
    'host.files\u0000',
  ])('%j is reserved', (id) => {
    expect(isReservedId(id)).toBe(true);
  });

  test.each(['acme.host', 'hosts.files', 'hostess', 'com.example.words', 'ghost.files', ''])(
    '%j is free',
    (id) => {
      expect(isReservedId(id)).toBe(false);
    },
  );
});
