import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InEnglish, inEnglish, refusedInEnglish } from '../../../testing/in-english.ts';
import { type FieldError, HostError } from '../../../core/host-error.ts';
import {
  descriptor,
  extraField,
  factsOf,
  packPlugin,
  type RawArchive,
  type RawEntry,
  rawExample,
  rawZip,
  u64,
} from '../../../testing/packages.ts';
import { extractPackage, readPackage, verifyPackage } from './package-archive.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'package-hostile-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** Returns the problems of inspecting and installing, which must be identical. */
async function problemsOf(archive: Buffer): Promise<InEnglish<FieldError>[]> {
  const file = join(root, 'in.plugin');
  await writeFile(file, archive);
  const answers = await Promise.all([
    answerOf(readPackage(file).then((checked) => verifyPackage(checked))),
    answerOf(readPackage(file).then((checked) => extractPackage(checked, join(root, 'out')))),
  ]);
  expect(answers[1]?.errors).toEqual(answers[0]?.errors);
  expect(await readdir(root)).toEqual(['in.plugin']);
  return inEnglish(answers[0]?.errors ?? []);
}

async function answerOf(work: Promise<void>): Promise<HostError | undefined> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return undefined;
  expect(error).toMatchObject({ kind: 'invalid', code: 'invalid_package' });
  expect((error as HostError).message).not.toContain(root);
  return error as HostError;
}

const withEntry = (...entries: RawEntry[]): Buffer => rawZip([...rawExample(), ...entries]);
const withArchive = (archive: RawArchive): Buffer => rawZip(rawExample(), archive);

describe('a name', () => {
  test.each([
    ['..', 'has the part ".." in its path'],
    ['../x', 'has the part ".." in its path'],
    ['ui/../../x', 'has the part ".." in its path'],
    ['ui/..', 'has the part ".." in its path'],
    ['./x', 'has the part "." in its path'],
    ['ui/./x', 'has the part "." in its path'],
    ['ui//x', 'has an empty part in its path'],
    ['/', 'is an absolute path'],
    ['//server/share/x', 'is an absolute path'],
    ['C:/x', 'is an absolute path'],
    ['c:x', 'is an absolute path'],
    ['ui\\x', 'has a backslash in its name'],
    ['..\\..\\x', 'has a backslash in its name'],
    ['ui/x:stream', 'has a character in its name that file names cannot have'],
    ['ui/x?', 'has a character in its name that file names cannot have'],
    ['ui/a\0b', 'has a character in its name that file names cannot have'],
    ['ui/a\nb', 'has a character in its name that file names cannot have'],
    ['ui/a\u202etxt.exe', 'has a character in its name that file names cannot have'],
    ['ui/a./b', 'has a path part that ends with a period or a space'],
    ['ui/a /b', 'has a path part that ends with a period or a space'],
    ['ui/a.', 'has a path part that ends with a period or a space'],
    ['ui/a ', 'has a path part that ends with a period or a space'],
    ['ui/... /x', 'has a path part that ends with a period or a space'],
    ['ui/ a', 'has a path part that starts with a space'],
    ['ui/NUL', 'has the name of a Windows device in its path'],
    ['ui/con.js', 'has the name of a Windows device in its path'],
    ['ui/Com1/x', 'has the name of a Windows device in its path'],
    ['ui/LPT\u00b9.txt', 'has the name of a Windows device in its path'],
    ['ui/aux .js', 'has the name of a Windows device in its path'],
    ['ui/\uff0e\uff0e/x', 'has characters in its path that imitate dots or slashes'],
    ['ui/a\uff0fb', 'has characters in its path that imitate dots or slashes'],
    ['', 'has no name'],
  ])('of %j is refused', async (name, message) => {
    const problems = await problemsOf(withEntry({ name, content: 'x' }));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toBe(message);
  });

  test('that is too long or too deep is refused', async () => {
    const cases = [
      [`ui/${'x'.repeat(256)}`, 'has a part of more than 255 bytes in its path'],
      [`ui/${'ü'.repeat(128)}`, 'has a part of more than 255 bytes in its path'],
      [`ui/${'abc/'.repeat(300)}x`, 'has a name of more than 1024 bytes'],
      [`ui/${'a/'.repeat(40)}x`, 'is more than 32 directories deep'],
    ] as const;
    for (const [name, message] of cases) {
      expect((await problemsOf(withEntry({ name })))[0]?.message).toBe(message);
    }
  });

  test('is shown without control characters and shortened', async () => {
    const [control] = await problemsOf(withEntry({ name: 'ui/a\u001b[31m\0b' }));
    expect(control?.path).toBe('ui/a\ufffd[31m\ufffdb');
    const [long] = await problemsOf(withEntry({ name: `ui/${'x'.repeat(5_000)}` }));
    expect(long?.path.length).toBeLessThan(250);
  });

  test('that is not UTF-8 is refused, with or without the UTF-8 flag', async () => {
    for (const flags of [0, 0x800]) {
      const name = Buffer.from([0x75, 0x69, 0x2f, 0xe9, 0x2e, 0x6a, 0x73]);
      const problems = await problemsOf(withEntry({ name, both: { flags } }));
      expect(problems).toEqual([{ path: 'ui/é.js', message: 'has a name that is not UTF-8' }]);
    }
  });

  test.each([
    ['ui/A.js', 'ui/a.js', 'differs from another name only in case or in how it is encoded'],
    ['ui/\u00e9', 'ui/e\u0301', 'differs from another name only in case or in how it is encoded'],
    ['ui/straße', 'ui/STRASSE', 'differs from another name only in case or in how it is encoded'],
    ['ui/ﬁle', 'ui/file', 'differs from another name only in case or in how it is encoded'],
    ['ui/K', 'ui/\u212a', 'differs from another name only in case or in how it is encoded'],
    ['ui/a\u200db', 'ui/ab', 'differs from another name only in case or in how it is encoded'],
    ['ui/dir/x', 'ui/DIR/y', 'differs from another name only in case or in how it is encoded'],
    ['ui/x', 'ui/x', 'exists twice'],
    ['ui/d/', 'ui/d/', 'exists twice'],
    ['ui/d', 'ui/d/', 'is both a file and a directory'],
    ['ui/d/x', 'ui/d', 'is both a file and a directory'],
    ['ui/d', 'ui/d/x', 'is both a file and a directory'],
    ['ui/d', 'ui/D/x', 'differs from another name only in case or in how it is encoded'],
  ])('of %j next to %j is refused', async (one, other, message) => {
    const problems = await problemsOf(withEntry({ name: one }, { name: other }));
    expect(problems).toEqual([{ path: other, message }]);
  });

  test('that contradicts a second field of the entry is refused', async () => {
    const unicodeName = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from('../../evil')]);
    const extra = extraField(0x7075, unicodeName);
    const problems = await problemsOf(withEntry({ name: 'ui/x', both: { extra } }));
    expect(problems).toEqual([{ path: 'ui/x', message: 'has a second, different name' }]);
  });
});

describe('an entry', () => {
  const kindProblem = 'is a file by its name and a directory by its mode, or vice versa';
  test.each<[string, RawEntry, string]>([
    ['a link', { name: 'x', mode: 0o120777, content: '/etc' }, 'is a symbolic link'],
    ['a device', { name: 'x', mode: 0o020644 }, 'is a device'],
    ['a block device', { name: 'x', mode: 0o060644 }, 'is a device'],
    ['a socket', { name: 'x', mode: 0o140644 }, 'is a socket'],
    ['of no known kind', { name: 'x', mode: 0o170644 }, 'is of an unknown kind'],
    ['set-user-id', { name: 'x', mode: 0o104755 }, 'is set-user-id or set-group-id'],
    ['set-group-id', { name: 'x', mode: 0o102755 }, 'is set-user-id or set-group-id'],
    ['a reparse point', { name: 'x', attributes: 0x400 }, 'is not a plain file or directory'],
    ['a directory by mode', { name: 'x', mode: 0o040755 }, kindProblem],
    ['a directory by attribute', { name: 'x', attributes: 0x10 }, kindProblem],
    ['a file by mode', { name: 'x/', mode: 0o100644 }, kindProblem],
    ['a full directory', { name: 'x/', content: 'x' }, 'is a directory with content'],
    ['encrypted', { name: 'x', both: { flags: 0x801 } }, 'is encrypted, which is not supported'],
    ['masked', { name: 'x', both: { flags: 0x2800 } }, 'is encrypted, which is not supported'],
    ['a patch', { name: 'x', both: { flags: 0x820 } }, 'is a patch, not a file'],
    ['deflate64', { name: 'x', both: { method: 9 } }, 'is compressed with method 9'],
    ['zstd', { name: 'x', both: { method: 93 } }, 'is compressed with method 93'],
    ['AES', { name: 'x', both: { method: 99 } }, 'is compressed with method 99'],
    [
      'stored in two sizes',
      { name: 'x', deflated: false, both: { size: 7 } },
      'is stored uncompressed',
    ],
  ])('that is %s is refused', async (_what, entry, message) => {
    const problems = await problemsOf(withEntry(entry));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.path).toBe(entry.name);
    expect(problems[0]?.message).toContain(message);
  });

  test('that is strongly encrypted is refused', async () => {
    const problems = await problemsOf(withEntry({ name: 'x', both: { flags: 0x841 } }));
    expect(problems).toEqual([{ path: '', message: 'is encrypted, which is not supported' }]);
  });

  const content = 'some content that is here';
  const facts = factsOf(content);
  const twofold = 'is described differently in the table of contents and in its own header';
  const damaged = 'is damaged: its content does not match its size or checksum';
  const followed = 'is followed by bytes that are not part of any entry';
  test.each<[string, Partial<RawEntry>, string]>([
    ['another local name', { local: { name: 'ui/y' } }, twofold],
    ['another local method', { local: { method: 0 } }, twofold],
    ['other local flags', { local: { flags: 0x801 } }, twofold],
    ['a descriptor announced in one place', { local: { flags: 0x808 } }, twofold],
    ['another local size', { local: { size: 3 } }, twofold],
    ['another local compressed size', { local: { compressedSize: 3 } }, twofold],
    ['another local CRC', { local: { crc32: 3 } }, twofold],
    ['local sizes in a field that is missing', { local: { size: 0xffffffff } }, twofold],
    ['a wrong CRC', { both: { crc32: 3 } }, damaged],
    ['less content than said', { both: { size: facts.size + 1 } }, damaged],
    ['more content than said', { both: { size: facts.size - 1 } }, damaged],
    ['more content than none', { both: { size: 0 } }, damaged],
    ['a body that is no deflate stream', { body: Buffer.alloc(40, 0xff) }, damaged],
    ['a body cut short', { body: deflateRawSync(content).subarray(0, -2) }, damaged],
    [
      'bytes after the end of its deflate stream',
      { body: Buffer.concat([deflateRawSync(content), Buffer.from('hidden')]) },
      damaged,
    ],
    ['bytes behind it', { behind: Buffer.from('junk') }, followed],
    ['a descriptor nobody announced', { behind: descriptor(facts, shape()) }, followed],
    [
      'a descriptor that is missing',
      { both: { flags: 0x808 }, local: { crc32: 0, size: 0, compressedSize: 0 } },
      followed,
    ],
    [
      'a descriptor with another size',
      { both: { flags: 0x808 }, behind: descriptor({ ...facts, size: 1 }, shape()) },
      followed,
    ],
    [
      'bytes behind its descriptor',
      {
        both: { flags: 0x808 },
        behind: Buffer.concat([descriptor(facts, shape()), Buffer.from('junk')]),
      },
      followed,
    ],
  ])('with %s is refused', async (_what, entry, message) => {
    const hostile = { name: 'ui/x', content, ...entry };
    const last = await problemsOf(withEntry(hostile));
    expect(last).toEqual([{ path: 'ui/x', message }]);
    const inside = await problemsOf(rawZip([hostile, ...rawExample()]));
    expect(inside).toEqual([{ path: 'ui/x', message }]);
  });

  test('that shares its body with another one is refused', async () => {
    const shared = { name: 'ui/y', content, central: { offset: 0 }, centralOnly: true };
    const problems = await problemsOf(rawZip([{ name: 'ui/x', content }, ...rawExample(), shared]));
    expect(problems).toEqual([{ path: 'ui/x', message: 'shares bytes with another entry' }]);
  });

  test('whose body holds another entry is refused', async () => {
    const inner = rawZip([{ name: 'ui/inner', content }]).subarray(
      0,
      30 + 8 + facts.compressedSize,
    );
    const outer: RawEntry = { name: 'ui/outer', content: inner, deflated: false };
    const offset = 30 + 'ui/outer'.length;
    const nested = { name: 'ui/inner', content, central: { offset }, centralOnly: true };
    const problems = await problemsOf(rawZip([outer, ...rawExample(), nested]));
    expect(problems).toEqual([{ path: 'ui/outer', message: 'shares bytes with another entry' }]);
  });

  test.each([
    [1, 'manifest.json', 'shares bytes with another entry'],
    [40, 'manifest.json', 'shares bytes with another entry'],
    [0x7fffffff, 'backend/worker.jar', 'is followed by bytes that are not part of any entry'],
    [0xffffffff, 'backend/worker.jar', 'is followed by bytes that are not part of any entry'],
  ])('whose header would be at %d is refused', async (offset, path, message) => {
    const lost: RawEntry = { name: 'ui/x', content, central: { offset }, centralOnly: true };
    expect(await problemsOf(rawZip([...rawExample(), lost]))).toEqual([{ path, message }]);
  });

  test('whose header is overwritten is refused', async () => {
    const archive = withEntry({ name: 'ui/x', content });
    archive.writeUInt32LE(0, 0);
    expect(await problemsOf(archive)).toEqual([
      {
        path: 'manifest.json',
        message: 'has no readable header in front of its data, or is cut short',
      },
    ]);
  });

  test('that declares a terabyte is refused before anything is unpacked', async () => {
    const extra = extraField(1, u64(1024 ** 4));
    const entry = { name: 'ui/x', content, both: { size: 0xffffffff, extra } };
    const problems = await problemsOf(withEntry(entry));
    expect(problems).toEqual([{ path: 'ui/x', message: 'makes the unpacked size exceed 4 GiB' }]);
  });
});

function shape(): { signed: boolean; wide: boolean } {
  return { signed: true, wide: false };
}

describe('an archive', () => {
  const around = 'has extra bytes after its table of contents';
  const broken = 'is not a zip archive, or it is damaged or cut short';
  const second = rawZip([]);
  test.each<[string, () => Buffer | Promise<Buffer>, string]>([
    [
      'bytes in front',
      () => withArchive({ prefix: Buffer.from('#!/bin/sh\n') }),
      'starts with bytes',
    ],
    ['only a prefix', () => Buffer.concat([Buffer.from('MZ'), withArchive({})]), 'damaged table'],
    ['bytes before its table', () => withArchive({ beforeTable: Buffer.from('x') }), 'followed by'],
    ['bytes behind', () => withArchive({ suffix: Buffer.from('x') }), broken],
    ['a second end record behind', () => withArchive({ suffix: second }), around],
    ['an end record in its comment', () => withArchive({ comment: second }), around],
    [
      'an end record inside its comment',
      () => withArchive({ comment: Buffer.concat([second, Buffer.from('x')]) }),
      broken,
    ],
    ['another archive behind', () => withArchive({ suffix: withArchive({}) }), around],
    ['fewer entries than its table', () => withArchive({ end: { count: 2 } }), around],
    ['more entries than its table', () => withArchive({ end: { count: 4 } }), 'damaged table'],
    ['two counts', () => withArchive({ end: { countHere: 2 } }), around],
    ['a wrong table size', () => withArchive({ end: { tableBytes: 9 } }), around],
    ['a table elsewhere', () => withArchive({ end: { tableStart: 3 } }), 'damaged table'],
    [
      'a table beyond its end',
      () => withArchive({ end: { tableStart: 0xfffffff0 } }),
      'damaged table',
    ],
    ['several disks', () => withArchive({ end: { disk: 1 } }), broken],
    ['bytes but no entries', () => rawZip([], { prefix: Buffer.from('x') }), 'starts with bytes'],
    ['nothing', () => rawZip([]), 'is missing from the package'],
    ['text', () => Buffer.from('hello'), broken],
    ['one byte', () => Buffer.from('P'), broken],
    ['an end record alone, cut short', () => rawZip([]).subarray(0, 21), broken],
    [
      'a locator that points nowhere',
      async () => {
        const zip = await packPlugin({ forceZip64End: true });
        zip.writeBigUInt64LE(2n ** 63n, zip.length - 22 - 20 + 8);
        return zip;
      },
      broken,
    ],
    [
      'a different zip64 end record',
      async () => {
        const zip = await packPlugin({ forceZip64End: true });
        zip.writeBigUInt64LE(1n, zip.length - 22 - 20 - 56 + 40);
        return zip;
      },
      around,
    ],
  ])('with %s is refused', async (_what, archive, message) => {
    const problems = await problemsOf(await archive());
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(message);
  });

  test('truncated at any position is refused', async () => {
    const whole = withArchive({});
    for (let length = 0; length < whole.length; length += 7) {
      expect(await problemsOf(whole.subarray(0, length))).toHaveLength(1);
    }
  });

  test('with any single byte of its tables changed is refused or read identically', async () => {
    const whole = withArchive({});
    const checked = await readBytes(whole);
    for (let at = whole.length - 260; at < whole.length; at += 3) {
      const changed = Buffer.from(whole);
      changed.writeUInt8((whole[at] ?? 0) ^ 0x40, at);
      const outcome = await readBytes(changed).catch((error: unknown) => error);
      if (outcome instanceof HostError) expect(outcome.code).toBe('invalid_package');
      else expect(outcome).toEqual(checked);
    }
  });

  test('of 10 001 entries is refused, one of 10 000 is read', async () => {
    const many = (count: number): Buffer => {
      const files = Array.from({ length: count - 3 }, (_, index) => ({
        name: `ui/f${String(index)}`,
        deflated: false,
      }));
      return withEntry(...files);
    };
    expect(await problemsOf(many(10_001))).toEqual([
      { path: '', message: 'has more than 10000 entries' },
    ]);
    await expect(readBytes(many(10_000))).resolves.toMatchObject({ entryCount: 10_000 });
  });

  test('that creates countless directories from few entries is refused', async () => {
    const files = Array.from({ length: 1_000 }, (_, index) => ({
      name: `ui/d${String(index)}/${'d/'.repeat(28)}f`,
    }));
    const [problem] = await problemsOf(withEntry(...files));
    expect(problem?.message).toBe('exceeds the limit of 20000 files and directories');
  });

  test('that unpacks to more than 200 times its size is refused only beyond 64 MiB', async () => {
    const zeros = (megabytes: number): RawEntry => ({
      name: 'ui/zeros',
      content: Buffer.alloc(megabytes * 1024 ** 2),
    });
    await expect(readBytes(withEntry(zeros(63)))).resolves.toMatchObject({ entryCount: 4 });
    expect(await problemsOf(withEntry(zeros(65)))).toEqual([
      { path: '', message: 'unpacks to more than 200 times its size' },
    ]);
  });

  test('that is a directory, is missing or changed after it was checked is refused', async () => {
    await expect(readPackage(root)).rejects.toMatchObject({ code: 'invalid_package' });
    await expect(readPackage(join(root, 'none'))).rejects.toMatchObject({
      code: 'invalid_package',
    });
    const file = join(root, 'in.plugin');
    await writeFile(file, withArchive({}));
    const checked = await readPackage(file);
    await truncate(file, 100);
    const refused = { errors: [{ path: '', message: 'was changed while it was being read' }] };
    await expect(refusedInEnglish(verifyPackage(checked))).rejects.toMatchObject(refused);
    await expect(
      refusedInEnglish(extractPackage(checked, join(root, 'out'))),
    ).rejects.toMatchObject(refused);
  });

  test('with many problems reports at most twenty and the number of the others', async () => {
    const files = Array.from({ length: 30 }, (_, index) => ({ name: `../${String(index)}` }));
    expect(await problemsOf(withEntry(...files))).toHaveLength(20);
    await expect(readBytes(withEntry(...files))).rejects.toThrow('(and 29 more problems)');
  });
});

async function readBytes(archive: Buffer): Promise<unknown> {
  const file = join(root, 'bytes.plugin');
  await writeFile(file, archive);
  try {
    return await readPackage(file);
  } finally {
    await rm(file);
  }
}
