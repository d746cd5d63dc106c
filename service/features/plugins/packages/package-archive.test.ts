import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusedInEnglish } from '../../../testing/in-english.ts';
import { snapshot } from '../../../testing/package-trees.ts';
import {
  descriptor,
  exampleFiles,
  factsOf,
  packPlugin,
  type Packing,
  rawExample,
  type RawEntry,
  rawZip,
} from '../../../testing/packages.ts';
import {
  type CheckedPackage,
  extractPackage,
  readPackage,
  verifyPackage,
} from './package-archive.ts';
import { asDiskProblem } from '../../../platform/archives/archive-problems.ts';

let root: string;
let target: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'package-archive-'));
  target = join(root, 'out');
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function read(archive: Buffer): Promise<CheckedPackage> {
  const file = join(root, 'in.plugin');
  await writeFile(file, archive);
  return refusedInEnglish(readPackage(file));
}

async function extract(archive: Buffer): Promise<CheckedPackage> {
  const checked = await read(archive);
  await verifyPackage(checked);
  expect(await readdir(root)).toEqual(['in.plugin']);
  await extractPackage(checked, target);
  return checked;
}

const megabytes = (count: number): number => count * 1024 ** 2;

describe('a package', () => {
  test('is described by its manifest and its tables', async () => {
    const archive = await packPlugin({ files: { 'ui/empty.txt': '', 'ui/images/': '' } });
    const checked = await read(archive);
    const manifestBytes = Buffer.byteLength(
      JSON.stringify({ id: 'acme.demo', name: 'Demo', version: '1.0.0' }),
    );
    const fileBytes = Object.values(exampleFiles).reduce((sum, file) => sum + file.length, 0);
    expect(checked).toMatchObject({
      file: join(root, 'in.plugin'),
      sizeBytes: archive.length,
      unpackedBytes: manifestBytes + fileBytes,
      entryCount: 5,
    });
    expect(checked.manifest).toMatchObject({ id: 'acme.demo', version: '1.0.0', permissions: [] });
  });

  test('is unpacked to plain files and directories, whatever file modes it declares', async () => {
    const files = { 'ui/empty.txt': '', 'ui/images/': '', 'ui/größe/日本語.txt': 'ja' };
    await extract(await packPlugin({ files, options: { mode: 0o100777 } }));
    const tree = await snapshot(target);
    const kinds = Object.fromEntries(
      Object.entries(tree).map(([name, seen]) => [name, seen.split(' ').slice(0, 2).join(' ')]),
    );
    expect(kinds).toEqual({
      backend: 'directory 755',
      'backend/worker.jar': 'file 744',
      'manifest.json': 'file 744',
      ui: 'directory 755',
      'ui/empty.txt': 'file 744',
      'ui/größe': 'directory 755',
      'ui/größe/日本語.txt': 'file 744',
      'ui/images': 'directory 755',
      'ui/index.html': 'file 744',
    });
    expect((await stat(target)).mode & 0o777).toBe(0o700);
    expect(await readFile(join(target, 'ui/größe/日本語.txt'), 'utf8')).toBe('ja');
    expect(await readFile(join(target, 'ui/empty.txt'), 'utf8')).toBe('');
  });

  test.each<[string, Packing]>([
    ['stored', { options: { compress: false } }],
    ['with zip64 entries', { options: { forceZip64Format: true } }],
    ['with a zip64 end record', { forceZip64End: true }],
    ['with zip64 everywhere', { forceZip64End: true, options: { forceZip64Format: true } }],
    ['with a comment', { comment: 'Packed with care. '.repeat(3_000) }],
  ])('that is packed %s is unpacked', async (_how, packing) => {
    const content = randomBytes(50_000);
    await extract(await packPlugin({ ...packing, files: { 'ui/data.bin': content } }));
    expect(await readFile(join(target, 'ui/data.bin'))).toEqual(content);
  });

  test.each([
    { signed: true, wide: false },
    { signed: false, wide: false },
    { signed: true, wide: true },
    { signed: false, wide: true },
  ])('whose entries have data descriptors (%o) is unpacked', async (shape) => {
    const content = 'streamed content';
    const entry = {
      name: 'ui/streamed.txt',
      content,
      both: { flags: 0x808 },
      local: { crc32: 0, size: 0, compressedSize: 0 },
      behind: descriptor(factsOf(content), shape),
    };
    await extract(rawZip([entry, ...rawExample(), { ...entry, name: 'ui/last.txt' }]));
    expect(await readFile(join(target, 'ui/streamed.txt'), 'utf8')).toBe(content);
    expect(await readFile(join(target, 'ui/last.txt'), 'utf8')).toBe(content);
  });

  test('whose entries give only some values before their data descriptors is unpacked', async () => {
    const content = 'streamed content';
    const facts = factsOf(content);
    const behind = descriptor(facts, { signed: true, wide: false });
    const streamed = { name: 'ui/x', content, both: { flags: 0x808 }, behind };
    for (const local of [{ crc32: 0, compressedSize: 0 }, { crc32: 0 }, {}]) {
      await extract(rawZip([...rawExample(), { ...streamed, local }]));
      await rm(target, { recursive: true });
    }
    const wrong = { ...streamed, local: { crc32: 0, compressedSize: 0, size: 1 } };
    await expect(read(rawZip([...rawExample(), wrong]))).rejects.toMatchObject({
      errors: [{ path: 'ui/x' }],
    });
  });

  test('whose names are UTF-8 without the UTF-8 flag is unpacked', async () => {
    await extract(rawZip([...rawExample(), { name: 'ui/ü', content: 'x', both: { flags: 0 } }]));
    expect(await readFile(join(target, 'ui/ü'), 'utf8')).toBe('x');
  });

  test('whose table lists its entries in another order is unpacked', async () => {
    const late: RawEntry = { name: 'ui/late.txt', content: 'late' };
    const archive = rawZip([late, ...rawExample()]);
    const tableStart = archive.readUInt32LE(archive.length - 6);
    const firstBytes = 46 + late.name.length;
    const rest = archive.subarray(tableStart + firstBytes, -22);
    const first = archive.subarray(tableStart, tableStart + firstBytes);
    await extract(
      Buffer.concat([archive.subarray(0, tableStart), rest, first, archive.subarray(-22)]),
    );
    expect(await readFile(join(target, 'ui/late.txt'), 'utf8')).toBe('late');
  });

  test('with a deflated directory entry is unpacked', async () => {
    const directory: RawEntry = { name: 'ui/images/', deflated: true };
    await extract(rawZip([directory, ...rawExample()]));
    expect((await stat(join(target, 'ui/images'))).isDirectory()).toBe(true);
  });

  test('is unpacked only into a directory that does not exist yet', async () => {
    const checked = await read(await packPlugin());
    await mkdir(target);
    await writeFile(join(target, 'mine.txt'), 'kept');
    await expect(extractPackage(checked, target)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(join(target, 'mine.txt'), 'utf8')).toBe('kept');
  });
});

describe('a large entry', () => {
  const text = Buffer.from('the quick brown fox '.repeat(200_000));
  const noise = randomBytes(megabytes(3));

  test.each([true, false])('is streamed to disk completely (deflated: %s)', async (deflated) => {
    const entries = [
      { name: 'ui/text', content: text, deflated },
      { name: 'ui/noise', content: noise, deflated },
    ];
    await extract(rawZip([...rawExample(), ...entries]));
    expect((await readFile(join(target, 'ui/text'))).equals(text)).toBe(true);
    expect((await readFile(join(target, 'ui/noise'))).equals(noise)).toBe(true);
  });

  test.each<[string, Partial<RawEntry>]>([
    ['with a wrong CRC', { both: { crc32: 1 } }],
    ['stored with a wrong CRC', { deflated: false, both: { crc32: 1 } }],
    ['with less content than said', { both: { size: text.length + 1 } }],
    ['with more content than said', { both: { size: text.length - 1 } }],
    ['that is no deflate stream', { body: Buffer.alloc(megabytes(3), 0xff) }],
    ['cut short', { body: deflateRawSync(text).subarray(0, -5) }],
    ['with bytes after its end', { body: Buffer.concat([deflateRawSync(text), noise]) }],
  ])('%s is refused and leaves nothing behind', async (_what, wrong) => {
    const checked = await read(
      rawZip([...rawExample(), { name: 'ui/big', content: text, ...wrong }]),
    );
    const message = 'is damaged: its content does not match its size or checksum';
    const refused = { code: 'invalid_package', errors: [{ path: 'ui/big', message }] };
    await expect(refusedInEnglish(verifyPackage(checked))).rejects.toMatchObject(refused);
    await expect(refusedInEnglish(extractPackage(checked, target))).rejects.toMatchObject(refused);
    expect(await readdir(root)).toEqual(['in.plugin']);
  });

  test.each([10, megabytes(3)])(
    'that declares %d bytes and unpacks to 192 MiB is stopped early',
    async (size) => {
      const bomb = deflateRawSync(Buffer.alloc(megabytes(192)), { level: 1 });
      const checked = await read(
        rawZip([...rawExample(), { name: 'ui/bomb', body: bomb, both: { size } }]),
      );
      const before = process.memoryUsage();
      const startedMs = performance.now();
      await expect(extractPackage(checked, target)).rejects.toMatchObject({
        code: 'invalid_package',
      });
      const after = process.memoryUsage();
      expect(performance.now() - startedMs).toBeLessThan(20_000);
      expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(megabytes(64));
      expect(await readdir(root)).toEqual(['in.plugin']);
    },
  );
});

describe('unpacking', () => {
  test('uses a bounded amount of memory, whatever the size', async () => {
    const part = randomBytes(megabytes(2));
    const files = Object.fromEntries(
      Array.from({ length: 80 }, (_, index) => [`ui/part${String(index)}`, part]),
    );
    const checked = await read(await packPlugin({ files, options: { compress: false } }));
    let peakBytes = 0;
    const before = process.memoryUsage().arrayBuffers;
    const watch = setInterval(() => {
      peakBytes = Math.max(peakBytes, process.memoryUsage().arrayBuffers - before);
    }, 1);
    await extractPackage(checked, target);
    clearInterval(watch);
    expect(await readdir(join(target, 'ui'))).toHaveLength(81);
    // includes garbage, which is collected about every 64 MiB
    expect(peakBytes).toBeLessThan(megabytes(128));
  });

  test('stops when it is cancelled and leaves nothing behind', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`ui/f${String(index)}`, 'x'.repeat(10_000)]),
    );
    const checked = await read(await packPlugin({ files }));
    const early = AbortSignal.abort(new Error('stopped early'));
    await expect(extractPackage(checked, target, early)).rejects.toThrow('stopped early');
    const stop = new AbortController();
    const work = extractPackage(checked, target, stop.signal);
    await expect.poll(() => readdir(join(target, 'ui')).catch(() => [])).not.toEqual([]);
    stop.abort(new Error('stopped midway'));
    await expect(work).rejects.toThrow('stopped midway');
    expect(await readdir(root)).toEqual(['in.plugin']);
  });

  test('reports a full disk as such', () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    expect(asDiskProblem(full)).toMatchObject({
      kind: 'disk-full',
      code: 'disk_full',
      cause: full,
    });
    const other = Object.assign(new Error('input/output error'), { code: 'EIO' });
    expect(asDiskProblem(other)).toBe(other);
  });

  test('accepts only packages that were read and validated', async () => {
    const checked = await read(await packPlugin());
    await expect(extractPackage({ ...checked }, target)).rejects.toThrow('readPackage');
    expect(await readdir(root)).toEqual(['in.plugin']);
  });
});
