import {
  appendFile,
  mkdir,
  mkdtemp,
  realpath,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unzip } from '../../../testing/backups.ts';
import { exportGrant } from './export-grant.ts';
import type { Grant } from './grant.ts';

let folder: string;
let grant: Grant;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'export-')));
  const path = join(folder, 'a.txt');
  grant = { name: 'a.txt', kind: 'file', access: 'read-write', size: 0, path };
});
afterEach(() => rm(folder, { recursive: true }));

describe('the export of a single file', () => {
  it('is the file as of the request, even if data is appended', async () => {
    await writeFile(grant.path, 'a'.repeat(1_000_000));
    const { body, fileName } = await exportGrant(grant);
    await appendFile(grant.path, 'more');
    expect(fileName).toBe('a.txt');
    expect((await buffer(body)).toString()).toBe('a'.repeat(1_000_000));
  });

  it('that is empty is empty', async () => {
    await writeFile(grant.path, '');
    expect((await buffer((await exportGrant(grant)).body)).length).toBe(0);
  });

  it('that is mostly sparse is refused beyond 1 GiB with a readable error', async () => {
    await writeFile(grant.path, 'x');
    await truncate(grant.path, 400e9);
    await expect(exportGrant(grant)).rejects.toMatchObject({
      kind: 'too-large',
      code: 'hollow_file',
      message: expect.stringMatching(/^a\.txt is mostly empty space .+\.$/) as unknown,
    });
    await truncate(grant.path, 5_000_000);
    expect((await buffer((await exportGrant(grant)).body)).length).toBe(5_000_000);
  });
});

describe('the export of an output', () => {
  const output = (): Grant => ({
    ...grant,
    name: 'report',
    kind: 'directory',
    access: 'write',
    path: folder,
  });

  it('with one file is that file under its own name, or a zip on request', async () => {
    await writeFile(grant.path, 'content');
    const { body, fileName, contentType } = await exportGrant(output());
    expect([fileName, contentType]).toEqual(['a.txt', 'application/octet-stream']);
    expect((await buffer(body)).toString()).toBe('content');
    const zip = await exportGrant(output(), 'zip');
    expect(zip.fileName).toBe('report.zip');
    zip.body.destroy();
  });

  it('with a file and a folder, or with a file in a folder, is a zip', async () => {
    await mkdir(join(folder, 'inner'));
    await writeFile(join(folder, 'inner', 'b.txt'), 'b');
    for (const more of [[], ['a.txt']]) {
      for (const name of more) await writeFile(join(folder, name), 'x');
      const { body, fileName } = await exportGrant(output());
      expect(fileName).toBe('report.zip');
      body.destroy();
    }
  });

  it('with a name that archives cannot contain is complete except for it, and names it in advance and in the archive', async () => {
    await writeFile(join(folder, '..\\evil.txt'), 'x');
    await writeFile(grant.path, 'content');
    await symlink('/etc', join(folder, 'link'));
    const { body, skipped } = await exportGrant(output());
    expect(skipped.sort()).toEqual(['..\\evil.txt', 'link']);
    const names = await namesIn(await buffer(body));
    expect(names.sort()).toEqual(['NOT-EXPORTED.txt', 'a.txt']);
  });
});

const namesIn = async (zip: Buffer): Promise<string[]> => [...(await unzip(zip)).keys()];
