import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusedInEnglish } from '../../../testing/in-english.ts';
import {
  type Content,
  exampleManifest,
  packPlugin,
  rawExample,
  rawZip,
} from '../../../testing/packages.ts';
import { readPackage } from './package-archive.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'package-manifest-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function read(archive: Buffer): ReturnType<typeof readPackage> {
  const file = join(root, 'in.plugin');
  await writeFile(file, archive);
  return refusedInEnglish(readPackage(file));
}

const withManifest = (manifest: Content): Buffer => rawZip(rawExample(manifest));
const json = JSON.stringify(exampleManifest);
const nested = `{"id":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

describe('manifest.json', () => {
  test.each<[string, Content, string]>([
    ['empty', '', 'is not JSON in UTF-8'],
    ['no JSON', '{id: 1}', 'is not JSON in UTF-8'],
    ['with text behind it', `${json} x`, 'is not JSON in UTF-8'],
    ['UTF-16', Buffer.from(`\ufeff${json}`, 'utf16le'), 'is not JSON in UTF-8'],
    ['latin-1', Buffer.from('{"id":"\u00e9"}', 'latin1'), 'is not JSON in UTF-8'],
    ['an array', `[${json}]`, 'is not a JSON object'],
    ['null', 'null', 'is not a JSON object'],
    ['a string', '"x"', 'is not a JSON object'],
    ['a number', '1', 'is not a JSON object'],
    ['too deep', nested, 'is nested more than 64 levels deep'],
    ['too large', `{"x":"${'x'.repeat(1024 ** 2)}"}`, 'is larger than 1 MiB'],
    ['of 65 MB', Buffer.alloc(65_000_000, ' '), 'is larger than 1 MiB'],
  ])('that is %s is refused', async (_what, manifest, message) => {
    await expect(read(withManifest(manifest))).rejects.toMatchObject({
      code: 'invalid_package',
      errors: [{ path: 'manifest.json', message }],
    });
  });

  test.each<[string, string, string]>([
    ['an unquoted value', '{\n  "id": com.example\n}', 'line 2, column 9'],
    ['single quotes', "{\n  'id': 1\n}", 'line 2, column 3'],
    ['something after the end', '{\n  "id": 1\n}\nmore', 'line 4, column 1'],
    ['no end', '{\n  "id": [1', 'line 2, column 11'],
  ])('with %s is refused, with the position', async (_what, manifest, position) => {
    await expect(read(withManifest(manifest))).rejects.toMatchObject({
      errors: [{ path: 'manifest.json', message: `is not JSON in UTF-8 (${position})` }],
    });
  });

  test.each([
    ['a path', '../../plugin'],
    ['a slash', 'a/b'],
    ['101 characters', 'k'.repeat(101)],
    ['nothing', ''],
    ['a digit in front', '1st'],
  ])('with a setting whose key is %s is refused', async (_what, key) => {
    const userConfig = { [key]: { type: 'directory', title: 'Folder' } };
    await expect(read(await packPlugin({ manifest: { userConfig } }))).rejects.toMatchObject({
      code: 'invalid_package',
      errors: [
        {
          path: `userConfig.${key}`,
          message: expect.stringMatching(/^must be a key of 1 to 100 letters/) as unknown,
        },
      ],
    });
  });

  test('with more than 100 settings is refused', async () => {
    const entry = (n: number) => [`key${n}`, { type: 'string', title: 'Text' }];
    const userConfig: unknown = Object.fromEntries(Array.from({ length: 101 }, (_, n) => entry(n)));
    await expect(read(await packPlugin({ manifest: { userConfig } }))).rejects.toMatchObject({
      errors: [{ path: 'userConfig', message: 'must have at most 100 entries' }],
    });
  });

  test('that declares 100 MB is refused without being read', async () => {
    const [entry, ...rest] = rawExample();
    const claim = { ...entry!, both: { size: 100_000_000 } };
    const unread = { name: 'ui/noise', content: Buffer.alloc(600_000, 'noise'), deflated: false };
    await expect(read(rawZip([claim, ...rest, unread]))).rejects.toMatchObject({
      errors: [{ path: 'manifest.json', message: 'is larger than 1 MiB' }],
    });
  });

  test('that begins with a byte order mark is read', async () => {
    await expect(read(withManifest(`\ufeff${json}`))).resolves.toMatchObject({
      manifest: exampleManifest,
    });
  });

  test.each([
    ['left out', rawExample().slice(1)],
    ['in another case', [{ name: 'Manifest.json', content: json }, ...rawExample().slice(1)]],
    ['not at the top', [{ name: 'demo/manifest.json', content: json }, ...rawExample().slice(1)]],
    ['a directory', [{ name: 'manifest.json/' }, ...rawExample().slice(1)]],
  ])('that is %s is missing', async (_what, entries) => {
    await expect(read(rawZip(entries))).rejects.toMatchObject({
      errors: [{ path: 'manifest.json', message: 'is missing from the package' }],
    });
  });

  test('with invalid fields is refused with the path of each', async () => {
    const manifest = {
      id: 'Acme',
      version: 'one',
      permissions: ['files.read', 'root'],
      aiTools: [{ name: 'count', description: 'x', method: 'count' }, { name: 'a b' }],
      worker: { memoryMb: 1.5 },
    };
    const error: unknown = await read(withManifest(JSON.stringify(manifest))).catch(
      (reason: unknown) => reason,
    );
    const { errors } = error as { errors: { path: string; message: string }[] };
    const byPath = Object.fromEntries(errors.map(({ path, message }) => [path, message]));
    expect(byPath).toMatchObject({
      id: 'must be lower case, dot-separated, each part starting with a letter or digit',
      name: 'is required',
      version: 'must be a semantic version such as 1.2.0',
      'aiTools.1.name': 'must be 1 to 64 letters, digits, _ or -',
      'aiTools.1.description': 'is required',
    });
    expect(Object.keys(byPath)).toEqual(
      expect.arrayContaining(['permissions.1', 'worker.memoryMb']),
    );
    expect(byPath['permissions.1']).toMatch(/^must be one of /);
  });

  test.each(['con', 'nul.tools', 'com1.example', 'aux'])(
    'with the id %s is refused',
    async (id) => {
      await expect(read(await packPlugin({ manifest: { id } }))).rejects.toMatchObject({
        errors: [{ path: 'id', message: 'must not be the name of a Windows device' }],
      });
    },
  );

  test('does not pollute the prototypes of other objects', async () => {
    const manifest = `{"__proto__":{"polluted":1},"methods":{"__proto__":{}},${json.slice(1)}`;
    const checked = await read(withManifest(manifest));
    expect(checked.manifest).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a file that the manifest names', () => {
  test.each([
    [{}, 'ui/index.html', 'ui.entry'],
    [{}, 'backend/worker.jar', 'worker.entry'],
    [{ ui: { entry: 'ui/app.html' } }, 'ui/app.html', 'ui.entry'],
    [{ worker: { runtime: 'node' } }, 'backend/worker.mjs', 'worker.entry'],
    [{ worker: { entry: 'bin/w.jar' } }, 'bin/w.jar', 'worker.entry'],
  ])('%j must be in the package', async (manifest, file, path) => {
    await expect(
      read(await packPlugin({ manifest, files: { [file]: null } })),
    ).rejects.toMatchObject({
      errors: [{ path, message: `refers to ${file}, which is not in the package` }],
    });
    const complete = await packPlugin({ manifest, files: { [file]: 'x' } });
    await expect(read(complete)).resolves.toMatchObject({ manifest });
  });

  test('must be a file, not a directory', async () => {
    const files = { 'ui/index.html': null, 'ui/index.html/': '' };
    await expect(read(await packPlugin({ files }))).rejects.toMatchObject({
      errors: [{ path: 'ui.entry' }],
    });
  });

  test.each(['../x.html', '/etc/passwd', 'ui/../x.html', 'ui\\x.html', ''])(
    'cannot be %j',
    async (entry) => {
      await expect(read(await packPlugin({ manifest: { ui: { entry } } }))).rejects.toMatchObject({
        errors: [{ path: 'ui.entry', message: 'must be a relative path inside the package' }],
      });
    },
  );

  test('must be below ui/ if it is the page, since pages are served from there', async () => {
    const manifest = { ui: { entry: 'index.html' } };
    const files = { 'index.html': 'x' };
    await expect(read(await packPlugin({ manifest, files }))).rejects.toMatchObject({
      errors: [{ path: 'ui.entry', message: 'must be a file below ui/' }],
    });
  });
});
